// Vertices drawn by models: what replies carry, and what flows drop.
#include <gtest/gtest.h>

#include "tarry/model/model_spec.h"
#include "tarry/model/reply.h"
#include "tarry/model/snapshot.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Model model_of(const std::string& set, const std::string& learner) {
  return make_model(ModelSpec::parse(R"({"set": )" + set + R"(, "learner": )" + learner + "}"));
}

const std::string kOfw = R"({"type": "delayed_ofw", "eta": 0.1, "sample": true, "seed": 3})";
// 0 → 1 → 3 and 0 → 2 → 3, with 1 ⇄ 2.
const std::string kRoads = R"({"type": "flow", "nodes": 4, "edges": [[0, 1], [1, 3], [0, 2], [2, 3], [1, 2], [2, 1]],)"
                           R"( "source": 0, "sink": 3})";

TEST(Sample, IsInTheReplyOfAPlay) {
  Model model = model_of(R"({"type": "simplex", "dimension": 3})", kOfw);
  EXPECT_EQ(reply_json(model, Play{}, model.apply(Play{})),
            R"({"round": 1, "decision": [1, 0, 0], "sample": {"indices": [0], "values": [1]}})");
  const Play again{.features = std::nullopt, .key = "a"};
  model.apply(again);
  EXPECT_EQ(reply_json(model, again, model.apply(again)), R"({"round": 2, "answer": "duplicate"})");
}

TEST(Sample, IsRefusedByNameWhereNothingIsDrawn) {
  Model plain = model_of(R"({"type": "simplex", "dimension": 3})", R"({"type": "delayed_ofw", "eta": 0.1})");
  EXPECT_FALSE(plain.samples());
  EXPECT_ERROR(plain.sample(), Code::kUnsupported, "delayed_ofw does not sample vertices as it was specified");
  Model other = model_of(R"({"type": "simplex", "dimension": 3})", R"({"type": "delayed_eg"})");
  EXPECT_ERROR(other.sample(), Code::kUnsupported, "delayed_eg does not sample vertices as it was specified");
  EXPECT_EQ(reply_json(plain, Play{}, plain.apply(Play{})).find("sample"), std::string::npos);
}

TEST(Sample, RefusesKeysThatDoNotGoTogether) {
  EXPECT_ERROR(model_of(R"({"type": "simplex", "dimension": 3})", R"({"type": "delayed_ofw", "eta": 0.1, "seed": 3})"),
               Code::kBadSpec, "delayed_ofw: seed is read only with sample = true");
  EXPECT_ERROR(make_model(ModelSpec::parse(R"({"set": {"type": "simplex", "dimension": 2}, "initial": [0.5, 0.5],)"
                                           R"( "learner": )" +
                                           kOfw + "}")),
               Code::kUnsupported,
               "delayed_ofw: initial does not go with sample: what is drawn are vertices, and it starts at one");
}

// A gradient that pays for driving in circles makes vertices with a cycle beside their path.
TEST(Sample, OfAFlowIsAPathWithoutCycles) {
  for (const std::string& learner :
       {kOfw, std::string(R"({"type": "delayed_ospf", "setting": "linear", "gradient_bound": 3})")}) {
    Model model = model_of(kRoads, learner);
    bool ran_in_circles = false;
    for (Round t = 1; t <= 60; ++t) {
      model.apply(Play{});
      const SparseVector path = model.sample();
      Vec x(6, 0.0);
      for (std::size_t j = 0; j < path.indices.size(); ++j)
        x[static_cast<std::size_t>(path.indices[j])] = path.values[j];
      EXPECT_TRUE(model.set().contains(x, 0));
      EXPECT_EQ(x[4] * x[5], 0);
      Vec drawn(6);
      write(model.learner().sample(), drawn);
      ran_in_circles = ran_in_circles || drawn[4] * drawn[5] == 1;
      model.apply(Gradient{t, Vec{1, 0.2, 0.5, 1, -1, -1.5}});
    }
    EXPECT_TRUE(ran_in_circles) << learner;
  }
}

TEST(Sample, OfWrappedFlowsDropsCyclesToo) {
  const std::string scaled = R"({"type": "scale", "by": 3, "set": )" + kRoads + "}";
  const std::string set =
      R"({"type": "product", "parts": [{"type": "simplex", "dimension": 2}, {"type": "cached", "set": )" + scaled +
      "}]}";
  const SparseVector vertex{{1, 2, 3, 6, 7}, {1, 3, 3, 3, 3}};
  const SparseAtom path = model_of(set, kOfw).set().without_cycles({vertex.indices, vertex.values});
  EXPECT_EQ(path, (SparseAtom{{1, 2, 3}, {1, 3, 3}}));
}

TEST(Sample, ContinuesFromASnapshotAndInAClone) {
  const std::string trees = R"({"type": "spanning_tree", "nodes": 4,)"
                            R"( "edges": [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]]})";
  Model model = model_of(trees, kOfw);
  for (Round t = 1; t <= 30; ++t) {
    model.apply(Play{});
    if (t % 3 == 0) model.apply(Gradient{t, Vec{t % 2 ? 1.0 : -1.0, 0.5, -0.3, 0.1, t % 5 - 2.0}});
    Model loaded = load_snapshot(snapshot_bytes(model)), clone = model.clone();
    EXPECT_EQ(loaded.sample(), model.sample());
    EXPECT_EQ(clone.sample(), model.sample());
    EXPECT_EQ(model.sample().indices.size(), 3u);
    loaded.apply(Play{});
    clone.apply(Play{});
    EXPECT_EQ(loaded.sample(), clone.sample());
    EXPECT_EQ(loaded.hash(), clone.hash());
  }
}

}  // namespace
}  // namespace tarry
