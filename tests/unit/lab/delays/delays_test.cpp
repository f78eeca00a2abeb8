#include "tarry/lab/delays/delays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/linalg/covector.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

std::unique_ptr<Delays> delays_of(const std::string& json, std::uint64_t seed) {
  const spec::Value value = spec::parse_json(json);
  return make_delays(spec::Node(value, "delay"), seed);
}

// The delay of each answered round, of `rounds` played and then waited for.
std::map<Round, Round> run(const std::string& json, Round rounds, Round wait, std::uint64_t seed = 1) {
  const auto delays = delays_of(json, seed);
  const Random random(seed, 99);
  std::map<Round, Round> delay;
  for (Round t = 1; t <= rounds + wait; ++t) {
    if (t <= rounds) {
      const Vec g{random.gaussian(t), random.gaussian(rounds + t)};
      delays->played(t, [&] { return Covector::dense(g); });
    }
    const std::vector<Round> arrived = delays->arriving(t);
    EXPECT_TRUE(std::is_sorted(arrived.begin(), arrived.end()));
    for (Round k : arrived) {
      EXPECT_TRUE(k >= 1 && k <= std::min(t, rounds));
      EXPECT_TRUE(delay.emplace(k, t - k + 1).second) << "round " << k << " came twice";
    }
  }
  return delay;
}

double mean_of(const std::map<Round, Round>& delay) {
  double sum = 0;
  for (const auto& [round, d] : delay) sum += static_cast<double>(d);
  return sum / static_cast<double>(delay.size());
}

TEST(Delays, AnswerEveryRoundOnceAndInOrder) {
  for (const DelayEntry& entry : delay_registry())
    for (const std::string& json : entry.examples) {
      if (entry.name == "recorded") continue;  // needs data: see run_test.cpp
      SCOPED_TRACE(json);
      const auto delay = run(json, 500, 500);
      for (const auto& [round, d] : delay) EXPECT_GE(d, 1u);
      EXPECT_EQ(delay, run(json, 500, 500)) << "the same seed draws the same";
      if (entry.name == "adversarial") {
        EXPECT_EQ(delay.size(), 492u);  // 8 are kept back for good
      } else if (entry.name != "pareto") {
        EXPECT_EQ(delay.size(), 500u);
      }
    }
}

TEST(Delays, SeedsDrawDifferently) {
  EXPECT_NE(run(R"({"type": "geometric", "mean": 10})", 100, 500, 1),
            run(R"({"type": "geometric", "mean": 10})", 100, 500, 2));
}

TEST(Delays, HaveTheirMeans) {
  constexpr Round kRounds = 20000;
  const double root = std::sqrt(static_cast<double>(kRounds));
  EXPECT_EQ(mean_of(run(R"({"type": "none"})", 50, 0)), 1);
  EXPECT_EQ(mean_of(run(R"({"type": "fixed", "delay": 7})", 50, 50)), 7);
  EXPECT_NEAR(mean_of(run(R"({"type": "uniform", "low": 3, "high": 20})", kRounds, 30)), 11.5,
              5 * std::sqrt((18 * 18 - 1) / 12.0) / root);
  for (const char* mean : {"1", "1.5", "10"}) {
    const double m = std::stod(mean);
    EXPECT_NEAR(mean_of(run(std::string(R"({"type": "geometric", "mean": )") + mean + "}", kRounds, 2000)), m,
                5 * std::sqrt(m * (m - 1)) / root + 1e-12);
  }
  EXPECT_EQ(mean_of(run(R"({"type": "burst", "period": 9})", 90, 9)), 5);
}

TEST(Delays, UniformReachesBothEndsAndNothingElse) {
  std::map<Round, int> count;
  for (const auto& [round, d] : run(R"({"type": "uniform", "low": 2, "high": 5})", 8000, 10)) ++count[d];
  ASSERT_EQ(count.size(), 4u);
  for (const auto& [d, seen] : count) EXPECT_NEAR(seen, 2000, 5 * std::sqrt(1500.0)) << d;
  EXPECT_EQ(count.begin()->first, 2u);
}

TEST(Delays, GeometricIsMemoryless) {
  std::map<Round, double> count;
  for (const auto& [round, d] : run(R"({"type": "geometric", "mean": 4})", 40000, 400)) ++count[d];
  double left = 40000;
  for (Round d = 1; d <= 8; ++d) {
    EXPECT_NEAR(count[d] / left, 0.25, 5 * std::sqrt(0.1875 / left)) << d;
    left -= count[d];
  }
}

TEST(Delays, ParetoHasItsTail) {
  constexpr Round kRounds = 20000;
  const auto delay = run(R"({"type": "pareto", "shape": 1.5, "scale": 2})", kRounds, 3000);
  for (double x : {2.0, 4.0, 16.0, 100.0}) {
    double longer = 0;
    for (Round t = 1; t <= kRounds; ++t) {
      const auto found = delay.find(t);
      longer += found == delay.end() || static_cast<double>(found->second) >= x ? 1 : 0;
    }
    const double expected = std::pow(2 / x, 1.5);
    EXPECT_NEAR(longer / kRounds, expected, 5 * std::sqrt(expected / kRounds)) << x;
  }
}

TEST(Delays, BurstsComeAtTheEndOfTheirPeriod) {
  for (const auto& [round, d] : run(R"({"type": "burst", "period": 5})", 40, 5)) EXPECT_EQ((round + d - 1) % 5, 0u);
}

TEST(Delays, GrowWithTheRound) {
  for (const auto& [round, d] : run(R"({"type": "growing", "exponent": 0.5})", 300, 30))
    EXPECT_EQ(static_cast<double>(d), std::ceil(std::sqrt(static_cast<double>(round))));
}

TEST(Delays, LoseTheirShareForGood) {
  constexpr Round kRounds = 20000;
  const auto all = run(R"({"type": "fixed", "delay": 3})", kRounds, 10);
  const auto some = run(R"({"type": "fixed", "delay": 3, "lost": 0.3})", kRounds, 10);
  EXPECT_EQ(all.size(), kRounds);
  EXPECT_NEAR(static_cast<double>(some.size()), 0.7 * kRounds, 5 * std::sqrt(0.21 * kRounds));
  EXPECT_TRUE(run(R"({"type": "none", "lost": 1})", 100, 0).empty());
}

// Of three gradients, one kept back: always the one that points most along the sum so far.
TEST(Delays, TheAdversaryKeepsBackTheMostUseful) {
  const auto delays = delays_of(R"({"type": "adversarial", "hold": 1})", 1);
  const auto played = [&](Round t, const Vec& g) { delays->played(t, [&] { return Covector::dense(g); }); };
  played(1, Vec{1, 0});
  EXPECT_TRUE(delays->arriving(1).empty());
  played(2, Vec{3, 0});  // ⟨(4, 0), (3, 0)⟩ = 12, more than the first's 1
  EXPECT_EQ(delays->arriving(2), std::vector<Round>{1});
  played(3, Vec{-1, 5});
  EXPECT_EQ(delays->arriving(3), std::vector<Round>{2});  // ⟨(3, 5), (−1, 5)⟩ = 22
  played(4, Vec{0, -2});
  EXPECT_EQ(delays->arriving(4), std::vector<Round>{4});
}

TEST(DelaySpecs, SayWhatIsWrong) {
  const auto refusal = [](const std::string& json) { return thrown_by([&] { delays_of(json, 1); }).message; };
  EXPECT_EQ(refusal(R"({"type": "fixed", "delay": 0})"),
            "fixed: delay must be a whole number from 1 to 1099511627776 (delay = 0)");
  EXPECT_EQ(refusal(R"({"type": "uniform", "low": 5, "high": 4})"),
            "uniform: high must be a whole number from 5 to 1099511627776 (high = 4)");
  EXPECT_EQ(refusal(R"({"type": "geometric", "mean": 0.5})"),
            "geometric: mean must be at least 1 (no delay is 1) (mean = 0.5)");
  EXPECT_EQ(refusal(R"({"type": "growing", "exponent": 1.5})"),
            "growing: exponent must be from 0 to 1 (exponent = 1.5)");
  EXPECT_EQ(refusal(R"({"type": "none", "lost": 1.5})"), "none: lost must be a probability from 0 to 1 (lost = 1.5)");
  EXPECT_TRUE(refusal(R"({"type": "eventual"})").starts_with("unknown delay type \"eventual\""));
}

}  // namespace
}  // namespace tarry::lab
