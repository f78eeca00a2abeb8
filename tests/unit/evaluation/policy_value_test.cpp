#include "tarry/evaluation/policy_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "tarry/base/random.h"

namespace tarry::evaluation {
namespace {

bool soaks() { return std::getenv("TARRY_SOAK") != nullptr; }

// Two actions; the log takes the second rarely, and earns 0 or 1. The policy takes it mostly. Rewards drift.
struct Shop {
  double taken_rarely = 0.1, policy = 0.8;

  double first(int t) const { return 0.2 + 0.1 * std::sin(t / 50.0); }
  double second(int t) const { return 0.5 + 0.2 * std::sin(t / 200.0); }
  double value(int t) const { return (1 - policy) * first(t) + policy * second(t); }
};

struct Drawn {
  LoggedReward round;
  double value;  // that was expected of it
};

// A model of the reward that is wrong by `off`.
Drawn drawn_round(const Shop& shop, int t, double off, RandomSequence& random) {
  const bool second = random.uniform() < shop.taken_rarely;
  const double mean = second ? shop.second(t) : shop.first(t);
  const double p = second ? shop.taken_rarely : 1 - shop.taken_rarely, pi = second ? shop.policy : 1 - shop.policy;
  const double f[] = {std::min(1.0, shop.first(t) + off), std::min(1.0, shop.second(t) + off)};
  const double w[] = {(1 - shop.policy) / (1 - shop.taken_rarely), shop.policy / shop.taken_rarely};
  const Modelled model{.taken = f[second ? 1 : 0],
                       .policy = (1 - shop.policy) * f[0] + shop.policy * f[1],
                       .largest_up = std::max(w[0] * (1 - f[0]), w[1] * (1 - f[1])),
                       .largest_down = std::max(w[0] * f[0], w[1] * f[1])};
  return {{.weight = pi / p, .reward = random.uniform() < mean ? 1.0 : 0.0, .model = model}, shop.value(t)};
}

// Which of these logs had a time at which an interval was wrong.
struct Missed {
  int ips = 0, dr = 0;
};

Missed missed(int logs, int rounds, double off) {
  Missed missed;
  const double refuted = std::log(2 / PolicyValue::kAlpha);
  for (int log = 0; log < logs; ++log) {
    RandomSequence random(static_cast<std::uint64_t>(log), 17);
    LowerSequence ips_low, ips_high, dr_low, dr_high;
    double value = 0;
    bool ips = false, dr = false;
    for (int t = 1; t <= rounds; ++t) {
      const auto [round, expected] = drawn_round({}, t, off, random);
      const Modelled& model = *round.model;
      const double w = round.weight, r = *round.reward, term = model.policy + w * (r - model.taken);
      value += expected;
      ips_low.add(w * r, 0);
      ips_high.add(w * (1 - r), 0);
      dr_low.add(term, model.policy - model.largest_down);
      dr_high.add(1 - term, 1 - model.policy - model.largest_up);
      ips = ips || ips_low.log_wealth(value / t) >= refuted || ips_high.log_wealth(1 - value / t) >= refuted;
      dr = dr || dr_low.log_wealth(value / t) >= refuted || dr_high.log_wealth(1 - value / t) >= refuted;
    }
    missed.ips += ips ? 1 : 0;
    missed.dr += dr ? 1 : 0;
  }
  return missed;
}

// At every time at once: 5 % of logs may miss, and so many more that chance has it.
TEST(PolicyValue, IntervalsHoldAtEveryTime) {
  const int logs = soaks() ? 1000 : 100, rounds = soaks() ? 2000 : 400;
  const double allowed = 0.05 * logs + 1.645 * std::sqrt(0.05 * 0.95 * logs);
  for (const double off : {0.0, 0.3}) {
    const Missed wrong = missed(logs, rounds, off);
    EXPECT_LE(wrong.ips, allowed) << "model off by " << off;
    EXPECT_LE(wrong.dr, allowed) << "model off by " << off;
    if (soaks()) std::printf("of %d logs missed: IPS %d, DR %d (model off by %g)\n", logs, wrong.ips, wrong.dr, off);
  }
}

// The bound that is shown is where the bets refute, and the intervals are worth having.
TEST(PolicyValue, BoundsAreWhereBetsRefute) {
  RandomSequence random(3, 17);
  PolicyValue value(RewardRange{});
  LowerSequence low;
  for (int t = 1; t <= 3000; ++t) {
    const auto [round, expected] = drawn_round({}, t, 0.1, random);
    value.add(round);
    low.add(round.weight * *round.reward, 0);
  }
  const double alpha = PolicyValue::kAlpha / 2;
  EXPECT_NEAR(low.log_wealth(low.bound(alpha)), std::log(1 / alpha), 1e-6);
  EXPECT_DOUBLE_EQ(*value.ips().low, low.bound(alpha));
  EXPECT_LT(*value.ips().high - *value.ips().low, 0.35);
  EXPECT_LT(*value.dr()->high - *value.dr()->low, 0.25);
}

// Over many logs the mean error of IPS and DR is none, and that of SNIPS small.
TEST(PolicyValue, EstimatorsAreNotBiased) {
  const int logs = soaks() ? 4000 : 400, rounds = 200;
  double sums[3] = {}, squares[3] = {};
  for (int log = 0; log < logs; ++log) {
    RandomSequence random(static_cast<std::uint64_t>(log), 18);
    PolicyValue value;
    double expected = 0;
    for (int t = 1; t <= rounds; ++t) {
      const Drawn drawn = drawn_round({}, t, 0.3, random);
      value.add(drawn.round);
      expected += drawn.value / rounds;
    }
    const double errors[] = {value.ips().value - expected, value.snips().value - expected,
                             value.dr()->value - expected};
    for (int i = 0; i < 3; ++i) {
      sums[i] += errors[i] / logs;
      squares[i] += errors[i] * errors[i] / logs;
    }
  }
  for (int i = 0; i < 3; ++i) {
    const double error = std::sqrt(squares[i] / logs);
    EXPECT_LT(std::fabs(sums[i]), (i == 1 ? 0.01 : 0) + 3 * error) << i;
    if (soaks()) std::printf("bias %+.5f, standard error %.5f\n", sums[i], error);
  }
}

TEST(PolicyValue, TakesOpenRewardsAtTheirWorst) {
  PolicyValue closed(RewardRange{0, 10}), open(RewardRange{0, 10});
  for (int t = 0; t < 1000; ++t) {
    const LoggedReward round{.weight = t % 2 == 0 ? 2.0 : 0.0, .reward = 5};
    closed.add(round);
    open.add(t % 10 != 8 ? round : LoggedReward{.weight = round.weight, .reward = std::nullopt});
  }
  EXPECT_EQ(open.open(), 100);
  EXPECT_LT(*open.ips().low, *closed.ips().low);
  EXPECT_GT(*open.ips().high, *closed.ips().high);
  EXPECT_NEAR(open.snips().value, 5, 1e-12);
}

TEST(PolicyValue, TellsWeightsThatDoNotAddUp) {
  PolicyValue fits, lacks;
  for (int t = 0; t < 1000; ++t) {
    fits.add({.weight = t % 2 == 0 ? 2.0 : 0.0, .reward = 1});
    lacks.add({.weight = t % 4 == 0 ? 2.0 : 0.0, .reward = 1});
  }
  EXPECT_NEAR(fits.weight_error(), 0, 1e-9);
  EXPECT_LT(lacks.weight_error(), -10);
  EXPECT_NEAR(fits.effective(), 500, 1e-9);
}

TEST(PolicyValue, HasNoIntervalsWithoutARange) {
  PolicyValue value;
  value.add({.weight = 1, .reward = 2, .model = std::nullopt});
  value.add({.weight = 3, .reward = 4, .model = std::nullopt});
  EXPECT_DOUBLE_EQ(value.ips().value, 7);
  EXPECT_FALSE(value.ips().low);
  EXPECT_DOUBLE_EQ(value.snips().value, 3.5);
  EXPECT_TRUE(value.snips().low);
  EXPECT_FALSE(value.dr());
}

// Rewards that change after they were counted: sums and bounds are those of the last ones.
TEST(PolicyValue, ARewardThatChangesReplacesTheFirst) {
  for (const Effort effort : {Effort::kExact, Effort::kQuick}) {
    PolicyValue changed(RewardRange{}, effort);
    RandomSequence random(3);
    std::vector<LoggedReward> rounds;
    std::vector<PolicyValue::Guessed> guessed;
    double sum = 0;
    for (int t = 1; t <= 200; ++t) {
      LoggedReward round = drawn_round({}, t, 0, random).round;
      guessed.push_back(changed.add(round));
      rounds.push_back(round);
    }
    PolicyValue once(RewardRange{}, effort);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      const double other = 1 - *rounds[i].reward;
      changed.revise(rounds[i], guessed[i], other);
      rounds[i].reward = other;
      once.add(rounds[i]);
      sum += rounds[i].weight * other;
    }
    EXPECT_NEAR(changed.ips().value, sum / 200, 1e-12);
    EXPECT_NEAR(changed.ips().value, once.ips().value, 1e-12);
    EXPECT_NEAR(changed.dr()->value, once.dr()->value, 1e-12);
    EXPECT_NEAR(changed.snips().value, once.snips().value, 1e-12);
    EXPECT_LE(*changed.ips().low, changed.ips().value);
    // Only what was guessed before each round differs.
    EXPECT_NEAR(*changed.ips().low, *once.ips().low, 0.1);
    EXPECT_NEAR(*changed.dr()->high, *once.dr()->high, 0.1);
  }
}

TEST(PolicyValue, QuickBoundsAreHardlyWider) {
  PolicyValue exact(RewardRange{}), quick(RewardRange{}, Effort::kQuick);
  RandomSequence random(5);
  for (int t = 1; t <= 2000; ++t) {
    const LoggedReward round = drawn_round({}, t, 0.1, random).round;
    exact.add(round);
    quick.add(round);
  }
  for (const auto& [a, b] : {std::pair(exact.ips(), quick.ips()), std::pair(*exact.dr(), *quick.dr())}) {
    EXPECT_EQ(a.value, b.value);
    EXPECT_LE(*b.low, *a.low);
    EXPECT_GE(*b.high, *a.high);
    EXPECT_LT(*b.high - *b.low, 1.1 * (*a.high - *a.low));
  }
}

}  // namespace
}  // namespace tarry::evaluation
