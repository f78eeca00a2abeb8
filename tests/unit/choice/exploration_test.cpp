#include "tarry/choice/exploration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Exploration explore(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return Exploration::read(spec::Node(value, "explore"), {});
}

std::vector<double> probabilities(const Exploration& how, const std::vector<double>& rewards, double answered) {
  std::vector<double> each(rewards.size());
  how.probabilities(rewards, answered, each);
  return each;
}

const std::vector<std::string> kWays = {R"("gaps")",
                                        R"("epsilon")",
                                        R"("softmax")",
                                        R"("first")",
                                        R"("none")",
                                        R"({"type": "gaps", "gamma": 3, "floor": 0.05})",
                                        R"({"type": "epsilon", "epsilon": 0.3, "cap": 0.5})",
                                        R"({"type": "softmax", "temperature": 0.01, "floor": 0.1, "cap": 0.4})",
                                        R"({"type": "first", "rounds": 10, "floor": 0.2})",
                                        R"({"type": "none", "floor": 0.02, "cap": 0.21})"};

TEST(Exploration, ProbabilitiesSumToOneBetweenFloorAndCap) {
  const RandomSequence start(1);
  RandomSequence random = start;
  for (const std::string& way : kWays) {
    const Exploration how = explore(way);
    for (const double answered : {0.0, 1.0, 9.0, 1000.0, 1e9}) {
      std::vector<double> rewards(5);
      for (double& reward : rewards) reward = random.uniform(-2, 2);
      const auto each = probabilities(how, rewards, answered);
      EXPECT_NEAR(std::accumulate(each.begin(), each.end(), 0.0), 1, 1e-12) << way;
      for (double p : each) {
        EXPECT_GE(p, how.floor - 1e-12) << way;
        EXPECT_LE(p, how.cap + 1e-12) << way;
      }
    }
  }
}

TEST(Exploration, OneActionAloneIsTakenWhateverTheCap) {
  Exploration explore;
  explore.cap = 0.5;
  std::vector<double> each(1);
  explore.probabilities(std::vector{0.3}, 10, each);
  EXPECT_EQ(each[0], 1);
  std::vector<double> two(2);
  explore.probabilities(std::vector{0.3, 0.4}, 10, two);
  EXPECT_EQ(two[0], 0.5);
}

TEST(Exploration, GapsAreWeighedAsStated) {
  const auto each = probabilities(Exploration{}, {0.5, 0.25, 0.5, 0.0}, 25);
  const double gamma = 128 * std::sqrt(4.0 * 25);
  EXPECT_DOUBLE_EQ(each[1], 1 / (4 + gamma * 0.25));
  EXPECT_DOUBLE_EQ(each[2], 1.0 / 4);
  EXPECT_DOUBLE_EQ(each[3], 1 / (4 + gamma * 0.5));
  EXPECT_DOUBLE_EQ(each[0], 1 - each[1] - each[2] - each[3]);
  for (double p : probabilities(Exploration{}, {0.9, 0.1, 0.5}, 0)) EXPECT_NEAR(p, 1.0 / 3, 1e-15);
}

// For any rewards f*, and whatever was predicted: docs/theory.md, 16.
TEST(Exploration, TheInequalityOfInverseGapWeightingHolds) {
  RandomSequence random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const std::size_t count = 1 + random.below(8);
    std::vector<double> predicted(count), real(count);
    for (double& x : predicted) x = random.uniform();
    for (double& x : real) x = random.uniform();
    const double answered = std::floor(random.uniform(1, 3000));
    const auto each = probabilities(Exploration{}, predicted, answered);
    const double gamma = 128 * std::sqrt(static_cast<double>(count) * answered);
    double lost = 0, squares = 0;
    const double best = *std::max_element(real.begin(), real.end());
    for (std::size_t a = 0; a < count; ++a) {
      lost += each[a] * (best - real[a]);
      squares += each[a] * (predicted[a] - real[a]) * (predicted[a] - real[a]);
    }
    ASSERT_LE(lost, 2 * static_cast<double>(count) / gamma + gamma / 4 * squares + 1e-12);
  }
}

TEST(Exploration, AMillionDrawsAreTheProbabilities) {
  const std::vector<double> each = {0.5, 0, 0.3, 0.15, 0.05, 0};
  std::vector<double> seen(each.size());
  constexpr int kDraws = 1'000'000;
  const Random random(7, 3);
  for (int i = 0; i < kDraws; ++i) ++seen[drawn(each, random.uniform(static_cast<std::uint64_t>(i)))];
  for (std::size_t a = 0; a < each.size(); ++a)
    EXPECT_NEAR(seen[a] / kDraws, each[a], 5 * std::sqrt(each[a] * (1 - each[a]) / kDraws)) << a;
}

TEST(Exploration, WhatRoundingLeavesIsNoActionWithoutProbability) {
  EXPECT_EQ(drawn(std::vector<double>{0.25, 0.5, 0.25 - 1e-9, 0}, 1 - 1e-16), 2u);
  EXPECT_EQ(drawn(std::vector<double>{0, 1}, 1e-300), 1u);
}

TEST(Exploration, IsWrittenAsItIsRead) {
  for (const std::string& way : kWays) {
    const spec::Value written = explore(way).to_value({});
    EXPECT_EQ(Exploration::read(spec::Node(written, "explore"), {}), explore(way)) << way;
  }
}

TEST(Exploration, SaysWhatIsWrong) {
  EXPECT_ERROR(explore(R"("greedy")"), Code::kBadSpec,
               R"(explore must be "gaps", "epsilon", "softmax", "first" or "none" ("greedy"))");
  EXPECT_ERROR(explore(R"({"type": "epsilon", "epsilon": 2})"), Code::kBadSpec,
               "epsilon: epsilon must be a probability from 0 to 1 (epsilon = 2)");
  EXPECT_ERROR(explore(R"({"floor": 0.5, "cap": 0.25})"), Code::kBadSpec,
               "explore: cap must be above 0, and not below floor");
  EXPECT_ERROR(explore(R"({"type": "none", "gamma": 1})"), Code::kBadSpec,
               "none: unknown key \"gamma\" (known keys: type, floor, cap)");
  EXPECT_ERROR(probabilities(explore(R"({"floor": 0.3})"), {0, 1, 0, 1}, 1), Code::kBadInput,
               "floor = 0.3 is too much for 4 actions: at most 0.25");
  EXPECT_ERROR(probabilities(explore(R"({"cap": 0.3})"), {0, 1}, 1), Code::kBadInput,
               "cap = 0.3 is too little for 2 actions: at least 0.5");
}

}  // namespace
}  // namespace tarry
