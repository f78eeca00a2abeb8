#include "tarry/learners/versions.h"

#include <gtest/gtest.h>

#include "tarry/learners/registry.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string saved(const Versions<double>& versions) {
  ByteWriter out;
  versions.save(out, [&](double x) { out.f64(x); });
  return out.take();
}

TEST(Versions, AreSharedAndLiveUntilTheirLastRound) {
  Versions<double> versions;
  int made = 0;
  const auto make = [&] { return static_cast<double>(++made); };
  versions.take(3, make);
  versions.take(3, make);
  versions.take(5, make);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(versions.at(3), 1);
  EXPECT_EQ(*versions.newest(), 2);
  EXPECT_EQ(versions.newest_number(), 5u);
  versions.release(3);
  EXPECT_EQ(versions.at(3), 1);
  versions.release(3);
  EXPECT_EQ(versions.size(), 1u);
  EXPECT_ERROR(versions.at(3), Code::kCorrupt, "no waiting round saw version 3 of the learner");
  EXPECT_ERROR(versions.release(3), Code::kCorrupt, "no waiting round saw version 3 of the learner");
}

TEST(Versions, AreTheSameBytesWhateverTheOrder) {
  Versions<double> one, two;
  for (std::uint64_t number : {9u, 2u, 9u, 4u}) one.take(number, [&] { return 0.5 * static_cast<double>(number); });
  for (std::uint64_t number : {2u, 4u, 9u, 7u, 9u}) two.take(number, [&] { return 0.5 * static_cast<double>(number); });
  two.release(7);
  EXPECT_EQ(saved(one), saved(two));
  const std::string bytes = saved(one);
  ByteReader in(bytes);
  two.take(1, [] { return 1.0; });
  two.load(in, [&] { return in.f64(); });
  EXPECT_EQ(saved(two), bytes);
  EXPECT_EQ(two.at(4), 2);
}

TEST(Versions, RefuseDisorder) {
  ByteWriter out;
  out.u64(2);
  for (std::uint64_t number : {4u, 4u}) {
    out.u64(number);
    out.u64(1);
    out.f64(0);
  }
  Versions<double> versions;
  ByteReader in(out.bytes());
  EXPECT_ERROR(versions.load(in, [&] { return in.f64(); }), Code::kCorrupt,
               "snapshot: what its rounds saw is not in order");
}

AnyLearner learner_of(const char* json, const char* set_json) {
  const spec::Value set_spec = spec::parse_json(set_json), spec = spec::parse_json(json);
  return make_learner(spec::Node(spec, "learner"), {.set = make_set(spec::Node(set_spec, "set")), .initial = {}});
}

// A round that was settled, a memo of another learner or an empty one: an error by its code, and the game goes on.
TEST(Versions, AForeignMemoIsCorruptAndChangesNothing) {
  constexpr const char* kOwnBall = R"({"type": "l2_ball", "dimension": 3, "radius": 1})";
  constexpr const char* kOwnBox = R"({"type": "box", "dimension": 3, "lower": -1, "upper": 1})";
  const Vec g = {1, -2, 0.5};
  for (const auto& [json, set] : {std::pair{R"({"type": "gauge_ftrl"})", kOwnBall},
                                  {R"({"type": "box_ftrl"})", kOwnBox},
                                  {R"({"type": "auto"})", kOwnBox},
                                  {R"({"type": "auto"})", kOwnBall},
                                  {R"({"type": "bold", "base": {"type": "box_ftrl"}})", kOwnBox},
                                  {R"({"type": "hedge", "learners": [{"type": "box_ftrl"}]})", kOwnBox}}) {
    AnyLearner learner = learner_of(json, set);
    Memo memo;
    learner.play(1, nullptr, memo);
    const Feedback feedback{.gradient = Covector::dense(g)};
    learner.receive(1, feedback, memo);
    Memo waiting;
    learner.play(2, nullptr, waiting);
    ByteWriter before, after;
    learner.save(before);
    std::vector<Memo> foreign = {{}};
    if (std::string_view(json).find("bold") == std::string_view::npos) foreign.push_back(memo);  // a copy may be free
    for (const Memo& bad : foreign) {
      try {
        learner.receive(1, feedback, bad);
        ADD_FAILURE() << json;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Code::kCorrupt) << json << ": " << error.what();
      }
      try {
        learner.abandon(1, bad);
        ADD_FAILURE() << json;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Code::kCorrupt) << json << ": " << error.what();
      }
    }
    learner.save(after);
    EXPECT_EQ(before.bytes(), after.bytes()) << json;
    learner.receive(2, feedback, waiting);
  }
}

}  // namespace
}  // namespace tarry
