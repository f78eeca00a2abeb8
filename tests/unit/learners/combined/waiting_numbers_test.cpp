#include "tarry/learners/combined/waiting_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "tarry/base/random.h"

namespace tarry {
namespace {

constexpr double kNoLabel = 1e18;

struct NumberRow {
  double prediction, label, delay;
};

double delay_of(RandomSequence& random, double mean) { return -mean * std::log(1 - random.uniform()); }

// Rounds looked at again as a model does.
WaitingNumbers with_numbers(Round rounds, const std::function<NumberRow(Round, RandomSequence&)>& row) {
  WaitingNumbers waiting(true);
  RandomSequence random(7);
  std::multimap<double, Round> due;
  std::vector<NumberRow> rows(1);
  std::vector<bool> open(rounds + 1, true);
  for (Round t = 1; t <= rounds; ++t) {
    for (; !due.empty() && due.begin()->first < static_cast<double>(t); due.erase(due.begin())) {
      const Round k = due.begin()->second;
      open[k] = false;
      waiting.came(waiting.played() - static_cast<double>(k), rows[k].prediction, rows[k].label,
                   rows[k].label - rows[k].prediction);
    }
    rows.push_back(row(t, random));
    waiting.play(rows[t].prediction);
    for (std::size_t look = 0; age_at(look) < t; ++look)
      if (const Round k = t - age_at(look); open[k]) waiting.came_of_age(look, rows[k].prediction);
    if (rows[t].delay < kNoLabel) due.emplace(static_cast<double>(t) + rows[t].delay, t);
  }
  return waiting;
}

std::size_t last_look(Round age) {
  std::size_t look = 0;
  while (age_at(look + 1) <= age) ++look;
  return look;
}

double moved(const WaitingNumbers& waiting, Round age, double prediction) {
  return waiting.says(last_look(age), prediction).moves(prediction);
}

TEST(WaitingNumbers, SayNothingWhereDelayAndErrorAreIndependent) {
  const WaitingNumbers waiting = with_numbers(20000, [](Round, RandomSequence& random) {
    const double x = random.gaussian();
    return NumberRow{x, x + random.gaussian(), delay_of(random, x > 0 ? 1000 : 100)};
  });
  for (const double x : {-1.0, -0.1, 1.0})  // later, few labels are left, and chance is sometimes believed
    for (Round age = 16; age <= 256; age *= 2) EXPECT_NEAR(moved(waiting, age, x), 0, 0.05) << age << " " << x;
}

TEST(WaitingNumbers, SayNothingWhereLabelsAreLost) {
  const WaitingNumbers waiting = with_numbers(10000, [](Round t, RandomSequence& random) {
    const bool lost = random.uniform() < 0.1 || (t > 5000 && t < 6000);
    const double label = random.gaussian(), delay = delay_of(random, 100);
    return NumberRow{0, label, lost ? kNoLabel : delay};
  });
  for (Round age = 16; age <= 4096; age *= 2) EXPECT_NEAR(moved(waiting, age, 0), 0, 0.05) << age;
}

// Half of the rounds are 2 larger than the others and take ten times as long: of those that are open, nearly all.
TEST(WaitingNumbers, SayByHowMuchLabelsDifferThatTakeLong) {
  const WaitingNumbers waiting = with_numbers(20000, [](Round, RandomSequence& random) {
    const bool high = random.uniform() < 0.5;
    const double label = (high ? 1 : -1) + 0.5 * random.gaussian();
    return NumberRow{0, label, delay_of(random, high ? 1000 : 100)};
  });
  const double high = std::exp(-256.0 / 1000), low = std::exp(-256.0 / 100);
  EXPECT_NEAR(moved(waiting, 256, 0), (high - low) / (high + low), 0.1);
  EXPECT_GT(moved(waiting, 256, 0), moved(waiting, 64, 0));
}

// The label is the logarithm of the wait, normal about 5 with deviation 1: at age 256 it is above 5.5.
TEST(WaitingNumbers, TakeLabelsThatAreWaitsToBeAtLeastTheAge) {
  const WaitingNumbers waiting = with_numbers(20000, [](Round, RandomSequence& random) {
    const double label = 5 + random.gaussian();
    return NumberRow{5, label, std::exp(label)};
  });
  const double z = std::log(256.0) - 5, above = 0.5 * std::erfc(z / std::sqrt(2.0));
  EXPECT_NEAR(moved(waiting, 256, 5), std::exp(-z * z / 2) / std::sqrt(2 * M_PI) / above, 0.15);
  EXPECT_LT(moved(waiting, 256, 9), 0.05);  // predicted to take longer: being open is no news
}

TEST(WaitingNumbers, AreTheSameAfterTheyWereSaved) {
  WaitingNumbers waiting = with_numbers(3000, [](Round, RandomSequence& random) {
    const double label = random.gaussian();
    return NumberRow{0, label, delay_of(random, label > 0 ? 1000 : 100)};
  });
  ByteWriter out;
  waiting.save(out);
  WaitingNumbers other(true);
  ByteReader in(out.bytes());
  other.load(in);
  for (Round age = 16; age <= 2048; age *= 2) EXPECT_EQ(moved(other, age, 0), moved(waiting, age, 0)) << age;
  ByteWriter again;
  other.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
}

// Of a prediction above the floor nothing is lost, however far; below it the more, the farther.
TEST(OpenNumber, LosesWhereItPredictsLessThanTheFloor) {
  const OpenNumber says{.floor = 3, .spread = 1, .share = 1};
  EXPECT_NEAR(says.lost(100, 0), 0, 1e-9);
  EXPECT_NEAR(says.lost(3, 0), 2 * std::log(2.0), 1e-6);
  EXPECT_GT(says.lost(0, 0), says.lost(1, 0));
  EXPECT_NEAR(says.moves(3), std::sqrt(2 / M_PI), 1e-6);
  const double step = 1e-4, slope = (says.lost(2 + step, 0) - says.lost(2 - step, 0)) / (2 * step);
  EXPECT_NEAR(slope, -2 * says.moves(2), 1e-3);  // the gradient of what is lost
}

}  // namespace
}  // namespace tarry
