#include "tarry/ledger/tracking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sanitized.h"
#include "tarry/theory/tracked.h"

namespace tarry {
namespace {

// Rounds 1 … T; each answered after as many plays as `delay(t)` says. The weights 1/W of the rounds that were kept.
template <class Delay>
std::map<Round, double> weights(const Tracked& asked, Round rounds, Delay delay) {
  Tracking tracking(asked);
  std::map<Round, double> weights;
  for (Round t = 1; t <= rounds; ++t) {
    tracking.add(t);
    EXPECT_LE(tracking.size(), asked.most);
    for (Round k = 1; k <= t; ++k)
      if (k + delay(k) - 1 == t && tracking.keeps(k)) {
        weights[k] = 1 / tracking.chance(k);
        tracking.remove(k);
      }
  }
  return weights;
}

TEST(Tracking, DropsNothingWhileThereIsRoom) {
  const auto all = weights({.most = 8}, 100, [](Round) { return Round{8}; });
  ASSERT_EQ(all.size(), 93u);
  for (const auto& [round, weight] : all) EXPECT_EQ(weight, 1) << round;
}

TEST(Tracking, KeepsRecentRoundsAndSomeOfEveryAge) {
  Tracking tracking({.most = 64, .seed = 3});
  constexpr Round kRounds = 100'000;
  for (Round t = 1; t <= kRounds; ++t) tracking.add(t);
  std::array<int, 4> of_age{};  // below 10, 100 …
  for (Round age = 1; age <= kRounds; ++age)
    if (tracking.keeps(kRounds - age + 1))
      ++of_age[static_cast<std::size_t>(std::min(3.0, std::log10(static_cast<double>(age))))];
  for (const int count : of_age) EXPECT_GT(count, 5);
}

// Theorem 21: each weight has mean 1, whatever others draw, and so has the product of two.
TEST(Tracking, WeightsAreUnbiased) {
  const auto delay = [](Round t) { return t % 5 == 0 ? Round{1} : 3 + 7 * t % 31; };
  const int seeds = cases(8'000);
  for (const std::uint64_t most : {7u, 9u}) {
    std::map<Round, double> sum, squares;
    double pairs = 0, of_pairs = 0;
    for (int seed = 0; seed < seeds; ++seed) {
      const auto drawn = weights({most, static_cast<std::uint64_t>(seed)}, 60, delay);
      for (const auto& [round, weight] : drawn) {
        sum[round] += weight;
        squares[round] += weight * weight;
      }
      const double pair = drawn.contains(17) && drawn.contains(18) ? drawn.at(17) * drawn.at(18) : 0;
      pairs += pair;
      of_pairs += pair * pair;
    }
    const double n = seeds, stay = static_cast<double>(most - most / 8);
    for (Round t = 1; t <= 25; ++t) {
      EXPECT_NEAR(sum[t] / n, 1, 4.5 * std::sqrt(squares[t] / n - 1 + 1e-9) / std::sqrt(n) + 1e-9) << most << " " << t;
      EXPECT_LE(squares[t] / n, theory::tracked_square(stay, 60, static_cast<double>(delay(t))));
    }
    EXPECT_NEAR(pairs / n, 1, 4.5 * std::sqrt(of_pairs) / n) << most;
    EXPECT_GT(squares[17] / n, 1.5);  // something was dropped
  }
}

TEST(Tracking, IsAFunctionOfSeedAndRounds) {
  const auto delay = [](Round t) { return 1 + t % 90; };
  const auto one = weights({10, 7}, 300, delay);
  EXPECT_EQ(one, weights({10, 7}, 300, delay));
  EXPECT_NE(one, weights({10, 8}, 300, delay));
}

}  // namespace
}  // namespace tarry
