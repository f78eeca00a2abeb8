#include "tarry/evaluation/policy_difference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/base/random.h"

namespace tarry::evaluation {
namespace {

// Three actions that earn 0 or 1, of which the policy that decides takes the second most often.
struct Duel {
  std::array<double, 3> decides{0.2, 0.7, 0.1}, challenges{0.1, 0.2, 0.7};
  std::array<double, 3> earns{0.3, 0.4, 0.5};
  double never_comes = 0;  // of rewards, those of 1
  double off = 0.1;        // of predictions
  double expected = 0;     // the sum of what the difference is
  PolicyDifference difference = {};

  double truth(int t, std::size_t a) const { return earns[a] + 0.1 * std::sin(t / 40.0); }

  void play(int t, RandomSequence& random) {
    std::array<ActionStakes, 3> actions;
    const double uniform = random.uniform();
    std::size_t taken = uniform < decides[0] ? 0 : uniform < decides[0] + decides[1] ? 1 : 2;
    for (std::size_t a = 0; a < 3; ++a) {
      actions[a] = {decides[a], challenges[a], truth(t, a) + off};
      expected += (challenges[a] - decides[a]) * truth(t, a);
    }
    const bool earned = random.uniform() < truth(t, taken);
    const bool lost = random.uniform() < never_comes && earned;
    difference.add(stakes_of(actions, taken), lost ? std::nullopt : std::optional(earned ? 1.0 : 0.0));
  }
};

// In how many of so many games an interval was wrong at some time.
int missed(const Duel& duel, int games, int rounds, std::uint64_t seed) {
  int missed = 0;
  for (int game = 0; game < games; ++game) {
    RandomSequence random(seed + static_cast<std::uint64_t>(game), 5);
    Duel one = duel;
    bool wrong = false;
    for (int t = 1; t <= rounds; ++t) {
      one.play(t, random);
      if (t % 25 != 0) continue;
      const auto figures = one.difference.figures();
      const double mean = one.expected / t;
      wrong = wrong || (figures && (mean < figures->low || mean > figures->high));
    }
    missed += wrong ? 1 : 0;
  }
  return missed;
}

TEST(PolicyDifference, HoldsAtAllTimesAtOnceInNineteenOfTwentyGames) {
  EXPECT_LE(missed({}, 100, 1000, 1), 5);
  EXPECT_LE(missed({.never_comes = 0.3}, 100, 1000, 1000), 5);
  EXPECT_LE(missed({.off = -0.3}, 100, 1000, 2000), 5);
}

TEST(PolicyDifference, HoldsWhereTheFirstPolicyNeverTakesWhatTheSecondOneDoes) {
  EXPECT_LE(missed({.decides = {0.5, 0.5, 0}}, 100, 1000, 1), 5);
  Duel duel{.decides = {0.5, 0.5, 0}, .challenges = {0, 0, 1}};
  RandomSequence random(1, 5);
  for (int t = 1; t <= 5000; ++t) duel.play(t, random);
  EXPECT_LT(duel.difference.figures()->low, 0);  // nothing is known about the third action
  EXPECT_GT(duel.difference.figures()->high, 0.5);
}

// If what is given up earned p each time, n rounds without a reward would have the probability (1 − p)^n.
TEST(PolicyDifference, IsNotSureSoonerThanRareRewardsCouldHaveCome) {
  const std::array<ActionStakes, 2> actions{{{1, 0, 0}, {0, 1, 0}}};
  PolicyDifference difference;
  for (int t = 1; t <= 200; ++t) {
    difference.add(stakes_of(actions, 0), 0.0);
    EXPECT_LE(difference.figures()->low, std::pow(0.05 / 4, 1.0 / t) - 1) << t;
  }
}

// By the definition in policy_difference.h: every draw and reward that could have been is tried. Predictions are held
// within 0 and 1, and the third action is never taken. Gives at how many ends the model's predictions helped.
int ends_by_model(double off) {
  using Three = std::array<double, 3>;
  const Three first{0.2, 0.8, 0}, second{0.7, 0.2, 0.1};
  LowerSequence plain_low, plain_high, low, high;
  PolicyDifference difference;
  RandomSequence random(1, 5);
  int by_model = 0;
  for (int t = 1; t <= 600; ++t) {
    const Three predicted{0.1 + off, 1.2 - off, 0.5}, held{0.1 + off, std::min(1.0, 1.2 - off), 0.5};
    const std::size_t taken = random.uniform() < 0.2 ? 0 : 1;
    const double earned = random.uniform() < (taken == 0 ? 0.1 : 0.95) ? 1 : 0;
    const auto reward = t % 9 == 0 ? std::nullopt : std::optional(earned);
    const auto estimate = [&](const Three& f, std::size_t a, double r) {
      const double ahead = (second[0] - first[0]) * f[0] + (second[1] - first[1]) * f[1];
      return ahead + (second[a] / first[a] - 1) * (r - f[a]);
    };
    double least = 1e9, most = -1e9;
    for (const std::size_t a : {0, 1})
      for (const double r : {0.0, 1.0}) {
        least = std::min(least, estimate(held, a, r));
        most = std::max(most, estimate(held, a, r));
      }
    const auto worst = [&](const Three& f, double sign) {
      return std::min(sign * estimate(f, taken, reward.value_or(0)), sign * estimate(f, taken, reward.value_or(1)));
    };
    plain_low.add((1 + worst({0, 0, 0}, 1)) / 2, 0);
    plain_high.add((1 + worst({1, 1, 1}, -1) - second[2]) / 2, 0);
    low.add((1 + worst(held, 1)) / 2, (1 + least) / 2);
    high.add((1 + worst(held, -1) - second[2]) / 2, (1 - most - second[2]) / 2);
    std::array<ActionStakes, 3> actions;
    for (std::size_t a = 0; a < 3; ++a) actions[a] = {first[a], second[a], predicted[a]};
    difference.add(stakes_of(actions, taken), reward);
    if (t % 100 != 0) continue;
    const double quarter = 0.05 / 4;
    EXPECT_NEAR(difference.figures()->low, 2 * std::max(plain_low.bound(quarter), low.bound(quarter)) - 1, 1e-9) << t;
    EXPECT_NEAR(difference.figures()->high, 1 - 2 * std::max(plain_high.bound(quarter), high.bound(quarter)), 1e-9)
        << t;
    by_model += low.bound(quarter) > plain_low.bound(quarter) ? 1 : 0;
    by_model += high.bound(quarter) > plain_high.bound(quarter) ? 1 : 0;
  }
  return by_model;
}

TEST(PolicyDifference, IsTheTighterOfBoundsThatAreWrongAQuarterAsOften) {
  EXPECT_EQ(ends_by_model(0), 12);
  EXPECT_LT(ends_by_model(0.85), 12);
}

TEST(PolicyDifference, TellsTheBetterFromTheWorse) {
  Duel better{.earns = {0.2, 0.3, 0.7}}, worse{.earns = {0.5, 0.5, 0.1}}, same{.challenges = {0.2, 0.7, 0.1}};
  RandomSequence random(1, 5);
  for (int t = 1; t <= 3000; ++t)
    for (Duel* each : {&better, &worse, &same}) each->play(t, random);
  EXPECT_GT(better.difference.figures()->low, 0);
  EXPECT_NEAR(better.difference.figures()->difference, better.expected / 3000, 0.05);
  EXPECT_NEAR(better.difference.figures()->second, better.difference.figures()->first + better.expected / 3000, 0.05);
  EXPECT_LT(worse.difference.figures()->high, 0);
  EXPECT_EQ(same.difference.figures()->difference, 0);
  EXPECT_LE(same.difference.figures()->low, 0);
  EXPECT_GE(same.difference.figures()->high, 0);
}

// With the rewards of 1 that never came as they were, the truth lies inside, and the interval is as much wider.
TEST(PolicyDifference, TakesARewardThatNeverComesAsTheWorst) {
  Duel all{}, some{.never_comes = 1};
  RandomSequence first(1, 5), second(1, 5);
  for (int t = 1; t <= 2000; ++t) {
    all.play(t, first);
    some.play(t, second);
  }
  const auto whole = *all.difference.figures(), part = *some.difference.figures();
  EXPECT_EQ(whole.unknown, 0u);
  EXPECT_EQ(part.rounds + part.unknown, whole.rounds);
  EXPECT_GT(part.unknown, 500u);
  EXPECT_LT(part.low, whole.low);
  EXPECT_GT(part.high, whole.high);
}

TEST(PolicyDifference, IsTheSameAfterItWasSaved) {
  Duel duel{.never_comes = 0.1};
  RandomSequence random(1, 5);
  for (int t = 1; t <= 500; ++t) duel.play(t, random);
  ByteWriter out;
  duel.difference.save(out);
  const std::string bytes = out.take();
  ByteReader in(bytes);
  PolicyDifference loaded;
  loaded.load(in);
  in.expect_end();
  EXPECT_EQ(loaded.figures()->low, duel.difference.figures()->low);
  EXPECT_EQ(loaded.figures()->unknown, duel.difference.figures()->unknown);
  std::string wrong = bytes;
  wrong[0] = wrong[1] = 0;  // no rounds, and a sum of rewards
  ByteReader damaged(wrong);
  EXPECT_THROW(PolicyDifference().load(damaged), Error);
}

}  // namespace
}  // namespace tarry::evaluation
