// Snapshots while targets of open rounds have moved half-way to their labels: whoever goes on from one ends in the same
// state, by the hash and by the bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"

namespace tarry {
namespace {

struct HalfWayCase {
  const char* spec;
  bool due;
  bool named;  // labels are names of classes
};

// Labels of one class come ten times as late, a tenth is corrected later, some rounds are void.
class HalfWayStream {
 public:
  explicit HalfWayStream(const HalfWayCase& one) : case_(one) {}

  std::vector<Event> events(Round rounds) {
    RandomSequence random(25);
    std::map<double, std::vector<Event>> by_time;
    for (Round t = 1; t <= rounds; ++t) {
      const auto now = static_cast<double>(t);
      const double x = 2 * random.uniform() - 1;
      const bool late = random.uniform() < 1 / (1 + std::exp(-2 * x));
      const double wait = (late ? 160 : 16) * 2 * random.uniform();
      Play play{NamedFeatures{{"x", x}}};
      if (case_.due) play.times = {.now = now, .due = now + 40 + 300 * random.uniform()};
      by_time[now].push_back(std::move(play));
      if (random.uniform() < 0.02) {
        by_time[now + wait + 0.5].push_back(Void{t});
        continue;
      }
      Label label{t, value(late)};
      label.revising = {.sequence = 1, .now = case_.due ? std::optional(now + wait + 0.5) : std::nullopt};
      by_time[now + wait + 0.5].push_back(label);
      if (random.uniform() >= 0.1) continue;
      Label other{t, value(!late)};
      other.revising = {
          .revise = true, .sequence = 2, .now = case_.due ? std::optional(now + wait + 60.5) : std::nullopt};
      by_time[now + wait + 60.5].push_back(other);
    }
    std::vector<Event> all;
    for (auto& [time, events] : by_time)
      for (Event& event : events) all.push_back(std::move(event));
    return all;
  }

 private:
  LabelValue value(bool late) const {
    if (case_.named) return std::string(late ? "late" : "early");
    return late;
  }

  HalfWayCase case_;
};

// Open rounds whose memo has grown: their targets have moved.
std::size_t half_way(const Model& model) {
  std::map<std::size_t, std::size_t> sizes;
  model.ledger().each_waiting([&](Round, const PackedContext& waiting) { ++sizes[waiting.memo_size()]; });
  std::size_t moved = 0;
  for (const auto& [size, count] : sizes) moved += size > sizes.begin()->first ? count : 0;
  return moved;
}

TEST(HalfWay, WhoGoesOnFromASnapshotEndsInTheSameState) {
  const HalfWayCase cases[] = {
      {R"({"task": "binary", "features": {"capacity": 16}, "revisable": 500})", false, false},
      {R"({"task": "classes", "classes": 4, "features": {"capacity": 16}, "revisable": 500})", false, true},
      {R"({"task": "binary", "features": {"capacity": 16}, "revisable": 500})", true, false},
      {R"({"task": "binary", "features": {"capacity": 16}, "revisable": 500, "products": 0,
           "expiry": {"rounds": 120, "then": {"label": true}}})",
       false, false},
  };
  for (const HalfWayCase& one : cases) {
    const std::vector<Event> events = HalfWayStream(one).events(1200);
    Model straight = make_model(ModelSpec::parse(one.spec)), resumed = make_model(ModelSpec::parse(one.spec));
    std::size_t saved_half_way = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
      straight.apply(events[i]);
      resumed.apply(events[i]);
      if (i % 211 != 0) continue;
      saved_half_way += half_way(resumed);
      const FrozenModel frozen = resumed.freeze();
      EXPECT_EQ(frozen.hash(), resumed.hash());
      EXPECT_EQ(snapshot_bytes(frozen), snapshot_bytes(resumed));
      resumed = load_snapshot(snapshot_bytes(frozen));
      EXPECT_EQ(resumed.hash(), straight.hash()) << one.spec << " after event " << i;
    }
    EXPECT_GT(saved_half_way, 50u) << one.spec;
    EXPECT_EQ(resumed.hash(), straight.hash()) << one.spec;
    EXPECT_FALSE(straight.certificate());  // targets moved, and labels were corrected
  }
}

// Of rows with ten features.
TEST(HalfWay, ARoundWhoseTargetHasMovedTakesAtMostHalfAsMuchAgain) {
  Model model = make_model(ModelSpec::parse(R"({"task": "binary"})"));
  RandomSequence random(6);
  std::map<Round, std::vector<Label>> coming;
  for (Round t = 1; t <= 1200; ++t) {
    NamedFeatures row;
    for (int i = 0; i < 5; ++i) {
      row.push_back({"number " + std::to_string(i), random.uniform()});
      row.push_back({"word " + std::to_string(i), "w" + std::to_string(random.below(20))});
    }
    model.apply(Play{row});
    const bool late = random.uniform() < 0.5;
    coming[t + 1 + static_cast<Round>((late ? 320 : 32) * random.uniform())].push_back(Label{t, late});
    for (const Label& label : coming[t]) model.apply(label);
  }
  std::map<std::size_t, std::pair<double, double>> by_memo;  // rounds, and their bytes
  model.ledger().each_waiting([&](Round, const PackedContext& waiting) {
    ByteWriter out;
    waiting.save(out);
    auto& [rounds, bytes] = by_memo[waiting.memo_size()];
    rounds += 1;
    bytes += static_cast<double>(out.size());
  });
  ASSERT_EQ(by_memo.size(), 2u);
  const auto mean = [](const auto& one) { return one.second.second / one.second.first; };
  EXPECT_GT(by_memo.rbegin()->second.first, 20);
  EXPECT_LE(mean(*by_memo.rbegin()), 1.5 * mean(*by_memo.begin()));
  EXPECT_GT(mean(*by_memo.rbegin()), 1.2 * mean(*by_memo.begin()));
}

// The loss of a round that is open is not convex: no theorem covers a target that has moved.
TEST(HalfWay, ThereIsNoCertificateFromTheFirstMoveOn) {
  Model model = make_model(ModelSpec::parse(R"({"set": {"type": "box", "dimension": 1, "lower": -3, "upper": 3},
                                                "learner": {"type": "patient"}, "loss": "logistic"})"));
  RandomSequence random(4);
  std::map<Round, std::vector<Label>> coming;
  int before = 0, after = 0;
  for (Round t = 1; t <= 600; ++t) {
    const bool late = random.uniform() < 0.5;
    model.apply(Play{Vec{1}});
    coming[t + (late ? 150 : 3)].push_back({t, late});
    for (const Label& label : coming[t]) model.apply(label);
    const double moves = model.learner().waits()->moves;
    if (t > 10) {
      EXPECT_EQ(model.certificate().has_value(), moves == 0) << "after round " << t;
    }
    ++(moves == 0 ? before : after);
  }
  EXPECT_GT(before, 100);
  EXPECT_GT(after, 100);
}

}  // namespace
}  // namespace tarry
