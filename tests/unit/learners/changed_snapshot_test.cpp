// What a learner gets back from a snapshot that was changed behind its checksum: memos that are not its own, and states
// that no game leads to. Each is refused; nothing is read that is not there.
#include <gtest/gtest.h>

#include <limits>

#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/losses/softmax.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const std::string kCube = R"({"type": "box", "dimension": 6, "lower": -1, "upper": 1})";

AnyLearner make(const std::string& learner, const std::string& set = kCube) {
  const spec::Value set_spec = spec::parse_json(set), learner_spec = spec::parse_json(learner);
  return make_learner(spec::Node(learner_spec, "learner"), {make_set(spec::Node(set_spec, "set")), {}});
}

std::string state(const AnyLearner& learner) {
  ByteWriter out;
  learner.save(out);
  return out.take();
}

std::string refused(AnyLearner learner, const std::string& changed) {
  ByteReader in(changed);
  const Thrown thrown = thrown_by([&] { learner.load(in); });
  if (thrown.code != Code::kInternal) {
    EXPECT_EQ(static_cast<int>(thrown.code), static_cast<int>(Code::kCorrupt));
  }
  return thrown.message;
}

// The first eight bytes at which `from` stands, as `to`.
template <class T>
std::string with(std::string bytes, T from, T to) {
  const std::string_view old(reinterpret_cast<const char*>(&from), 8), other(reinterpret_cast<const char*>(&to), 8);
  const std::size_t at = bytes.find(old);
  EXPECT_NE(at, std::string::npos);
  return bytes.replace(at, 8, other);
}

TEST(ChangedMemo, OfAHedgeMustHaveThePredictionsOfEachClass) {
  const AnyLoss softmax = SoftmaxLoss(3, 0, {});
  const std::vector<Index> at = {0, 2, 4};
  const Vec values = {1, 1, 1};
  const Covector features = Covector::sparse(at, values).with_outputs(3);
  const KnownLoss known{features, softmax, 2};
  const Vec predictions(3, 0.0);
  const Feedback feedback{.gradient = features, .known = &known, .predictions = predictions};
  for (const char* spec : {R"({"type": "auto"})", R"({"type": "hedge", "learners": [{"type": "stay"}]})"}) {
    AnyLearner learner = make(spec);
    Memo memo, without;
    learner.play(1, &features, memo);
    learner.play(2, nullptr, without);
    for (const double outputs : {1.0, 2.0, 4.0, 1e9, 0x1p53, -1.0, kNaN}) {
      Memo changed = memo;
      changed[0] = outputs;
      EXPECT_EQ(thrown_by([&] { learner.receive(1, feedback, changed); }).code, Code::kCorrupt) << spec << outputs;
    }
    EXPECT_EQ(thrown_by([&] { learner.receive(2, feedback, without); }).message,
              "a round's memo has 0 predictions of each learner, and 3 are wanted");
    learner.receive(1, feedback, memo);
  }
}

TEST(ChangedMemo, OfBoxFtrlScMustHaveTheCoordinatesOfTheSet) {
  AnyLearner learner = make(R"({"type": "box_ftrl_sc", "beta": 1})");
  const Vec ones(6, 1.0);
  const Feedback feedback{.gradient = Covector::dense(ones)};
  Memo memo;
  learner.play(1, nullptr, memo);
  Memo longer = memo;
  longer.resize(1000, 0.5);
  EXPECT_ERROR(learner.receive(1, feedback, longer), Code::kCorrupt,
               "a round's memo has 999 coordinates, and the set 6");
  learner.receive(1, feedback, memo);
}

TEST(ChangedMemo, OfBoxFtrlMustCountItsFeatures) {
  AnyLearner learner = make(R"({"type": "box_ftrl"})");
  const Vec row(6, 1.0);
  const Covector features = Covector::dense(row);
  Memo memo;
  learner.play(1, &features, memo);
  for (const double count : {kNaN, -2.0, 1e300}) {
    Memo changed = memo;
    changed[0] = count;
    EXPECT_ERROR(learner.receive(1, {.gradient = features, .slope = 1.0}, changed), Code::kCorrupt,
                 "number 1 of a round's memo must be a count");
  }
}

TEST(ChangedState, OfAPoolHasEachCopyOnce) {
  AnyLearner bold = make(R"({"type": "bold", "base": {"type": "stay"}})");
  std::vector<Memo> memos(3);
  for (Round t = 1; t <= 3; ++t) bold.play(t, nullptr, memos[t - 1]);
  for (Round t = 1; t <= 3; ++t) bold.receive(t, {.gradient = Covector::dense(Vec(6, 0.0))}, memos[t - 1]);
  std::string twice = state(bold);  // which ends with the copies that are free: 0, 1, 2
  twice[twice.size() - 8] = 1;
  EXPECT_EQ(refused(make(R"({"type": "bold", "base": {"type": "stay"}})"), twice),
            "snapshot: an unknown copy is free, or one is twice");
  const auto robin = [](int delay) {
    return make(R"({"type": "round_robin", "base": {"type": "stay"}, "delay": )" + std::to_string(delay) + "}");
  };
  EXPECT_EQ(refused(robin(3), state(robin(2))), "snapshot: has 2 copies where 3 are wanted");
}

TEST(ChangedState, OfGradientDescentIsAPoint) {
  const auto ogd = [] {
    return make(R"({"type": "delayed_ogd", "eta": 0.125})", R"({"type": "simplex", "dimension": 4})");
  };
  const std::string good = state(ogd());
  EXPECT_EQ(refused(ogd(), good), "nothing was thrown");
  EXPECT_EQ(refused(ogd(), with(good, 0.25, kNaN)), "snapshot: a list has a number that is not finite");
  EXPECT_EQ(refused(ogd(), with(good, 0.25, 1e300)),
            "snapshot: a decision or a sum of gradients has an impossible number");
  EXPECT_EQ(refused(ogd(), with(good, 0.125, -1.0)), "snapshot: a step must be from 0 to 1e100");
}

// Each number of a state in turn, of every learner: refused, or played on with.
TEST(ChangedState, OfEveryLearnerIsRefusedOrPlayedOnWith) {
  const Vec ones(6, 1.0);
  for (const LearnerEntry& entry : learner_registry()) {
    for (const char* set : {kCube.c_str(), R"({"type": "simplex", "dimension": 6})",
                            R"({"type": "l2_ball", "dimension": 6, "radius": 2})"}) {
      const auto fresh = [&] { return make(entry.examples.front(), set); };
      if (thrown_by([&] { fresh(); }).message != "nothing was thrown") continue;
      AnyLearner learner = fresh();
      std::vector<Memo> memos(4);
      for (Round t = 1; t <= 4; ++t) learner.play(t, nullptr, memos[t - 1]);
      for (Round t = 1; t <= 2; ++t) learner.receive(t, {.gradient = Covector::dense(ones)}, memos[t - 1]);
      const std::string good = state(learner);
      for (std::size_t at = 0; at + 8 <= good.size(); at += 8) {
        for (const double number : {kNaN, 1e308, 0x1p40, -1.0}) {
          std::string changed = good;
          changed.replace(at, 8, reinterpret_cast<const char*>(&number), 8);
          AnyLearner other = fresh();
          ByteReader in(changed);
          if (thrown_by([&] { other.load(in); }).message != "nothing was thrown") continue;
          Vec x(6);
          Memo memo;
          thrown_by([&] {
            other.receive(3, {.gradient = Covector::dense(ones)}, memos[2]);
            other.play(5, nullptr, memo);
            other.write(x);
          });
        }
      }
    }
  }
}

}  // namespace
}  // namespace tarry
