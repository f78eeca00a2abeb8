#include "tarry/learners/registry.h"

#include <gtest/gtest.h>

#include "tarry/learners/combined/pools.h"
#include "tarry/sets/balls/l1_ball.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/polytopes/box.h"
#include "tarry/sets/polytopes/simplex.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Thrown refusal(const std::string& json, const AnySet& set, const Vec& initial = {}) {
  return thrown_by([&] {
    const spec::Value value = spec::parse_json(json);
    make_learner(spec::Node(value, "learner"), LearnerSetting{set, initial});
  });
}

std::string message(const std::string& keys, const AnySet& set = Simplex(3)) {
  return refusal(R"({"type": "delayed_ofw")" + keys + "}", set).message;
}

TEST(DelayedOfwSpec, SaysWhatIsWrong) {
  EXPECT_EQ(message(""), "delayed_ofw: give eta, or horizon and gradient_bound");
  EXPECT_EQ(message(R"(, "eta": 0)"), "delayed_ofw: eta must be positive (eta = 0)");
  EXPECT_EQ(message(R"(, "horizon": 1, "gradient_bound": 1e-100)", L1Ball(3, 1e9)),
            "delayed_ofw: eta must be at most 1e100 (eta = 2e+109)");
  EXPECT_EQ(message(R"(, "eta": 1, "horizon": 5)"), "delayed_ofw: give either eta or horizon, not both");
  EXPECT_EQ(message(R"(, "eta": 1, "setting": "general")"), "delayed_ofw: give either eta or setting, not both");
  EXPECT_EQ(message(R"(, "horizon": 5)"), "delayed_ofw: gradient_bound is missing (wanted a positive number)");
  EXPECT_EQ(message(R"(, "gradient_bound": 5)"),
            "delayed_ofw: horizon is missing (wanted a whole number from 1 to 9007199254740992)");
  EXPECT_EQ(
      message(R"(, "horizon": 5, "gradient_bound": 1, "setting": "best")"),
      "delayed_ofw: setting must be \"general\", \"strongly_convex_set\" or \"delay_aware\" (setting = \"best\")");
  EXPECT_EQ(message(R"(, "horizon": 5, "gradient_bound": 1, "mean_delay": 2)"),
            "delayed_ofw: mean_delay is read only with setting = \"delay_aware\"");
  EXPECT_EQ(message(R"(, "horizon": 5, "gradient_bound": 1, "setting": "delay_aware")"),
            "delayed_ofw: mean_delay is missing (wanted a number of at least 1)");
  EXPECT_EQ(message(R"(, "horizon": 5, "gradient_bound": 1, "setting": "delay_aware", "mean_delay": 0.5)"),
            "delayed_ofw: mean_delay must be at least 1 (no delay is 1) (mean_delay = 0.5)");
  EXPECT_EQ(message(R"(, "eta": 1, "storage": "tape")"),
            "delayed_ofw: storage must be \"auto\", \"dense\", \"sparse\" or \"factored\" (storage = \"tape\")");
}

TEST(DelayedOfwScSpec, SaysWhatIsWrong) {
  EXPECT_EQ(refusal(R"({"type": "delayed_ofw_sc"})", Simplex(3)).message,
            "delayed_ofw_sc: beta is missing (wanted a number)");
  EXPECT_EQ(refusal(R"({"type": "delayed_ofw_sc", "beta": -1})", Simplex(3)).message,
            "delayed_ofw_sc: beta must be positive (beta = -1)");
}

TEST(Learners, RefuseAsUnsupportedWhatTheSetCannotCarry) {
  const Thrown curved = refusal(
      R"({"type": "delayed_ofw", "horizon": 5, "gradient_bound": 1, "setting": "strongly_convex_set"})", Simplex(3));
  EXPECT_EQ(curved.code, Code::kUnsupported);
  const Thrown sparse = refusal(R"({"type": "delayed_ofw", "eta": 1, "storage": "sparse"})", L2Ball(3, 1));
  EXPECT_EQ(sparse.code, Code::kUnsupported);
  EXPECT_EQ(sparse.message, "storage = \"sparse\" needs a set whose oracle reads one coordinate (this one reads all)");
  const Vec crowded(2000, 1.0 / 2000);
  const Thrown start = refusal(R"({"type": "delayed_ofw", "eta": 1, "storage": "sparse"})", L1Ball(2000, 1), crowded);
  EXPECT_EQ(start.code, Code::kUnsupported);
  EXPECT_EQ(start.message, "storage = \"sparse\" needs a start that is mostly zero");
}

TEST(LearnerSetting, ChecksItsInitialPoint) {
  EXPECT_ERROR((LearnerSetting{Simplex(2), {1}}.shape()), Code::kBadSpec,
               "initial must have 2 entries, the set's dimension (1 came)");
  EXPECT_ERROR((LearnerSetting{Simplex(2), {1, 1e-8}}.shape()), Code::kBadSpec,
               "initial must lie in the set (initial = [1, 1e-08])");
  EXPECT_EQ((LearnerSetting{Simplex(2), {0.25, 0.75}}.shape().start.values), (Vec{0.25, 0.75}));
}

TEST(LearnerSetting, KeepsASimpleStartSimple) {
  EXPECT_TRUE((LearnerSetting{Simplex(2), {}}.shape().start.values.empty()));
  EXPECT_TRUE((LearnerSetting{Simplex(2), {0.5, 0.5}}.shape().start.values.empty()));
  EXPECT_TRUE((LearnerSetting{L1Ball(2, 1), {0, 0}}.shape().start.values.empty()));
  EXPECT_EQ((LearnerSetting{Box({0, 0}, {1, 1}), {0, 0}}.shape().start.dense()), (Vec{0, 0}));
}

// Pools inside pools multiply: the limit is on all the copies there will be.
TEST(Pools, CountTheCopiesOfNestedPools) {
  const auto nested = [](const std::string& outer, int delay, int levels) {
    std::string spec = R"({"type": "stay"})";
    for (int k = 0; k < levels; ++k)
      spec = R"({"type": "round_robin", "delay": )" + std::to_string(delay) + R"(, "base": )" + spec + "}";
    return outer.empty() ? spec : R"({"type": ")" + outer + R"(", "base": )" + spec + "}";
  };
  const Thrown refused = refusal(nested("", 50, 5), Simplex(3));
  EXPECT_EQ(refused.message,
            "round_robin: 50 copies for each of the 6250000 of the pools around it are more than 2^24");
  EXPECT_EQ(refused.code, Code::kBadSpec);
  EXPECT_EQ(refusal(nested("bold", 50, 5), Simplex(3)).message, refused.message);
  const spec::Value stay = spec::parse_json(R"({"type": "stay"})");
  const auto make = [&](std::uint64_t) {
    return make_learner(spec::Node(stay, "learner"), LearnerSetting{Simplex(3), {}});
  };
  Bold pool(make, 0x1p23);    // as if each of its copies were as large a pool
  Memo first, second, third;  // a round's memo is its own
  pool.play(1, nullptr, first);
  pool.play(2, nullptr, second);
  EXPECT_ERROR(pool.play(3, nullptr, third), Code::kOutOfMemory, "bold: more than 2^24 copies are waiting");
}

}  // namespace
}  // namespace tarry
