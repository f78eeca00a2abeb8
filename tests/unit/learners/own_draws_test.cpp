// Learners inside others draw random numbers of their own: for perturbations, and for the search of singular pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/random.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

const std::string kMatrices = R"({"type": "nuclear_ball", "rows": 12, "cols": 10, "radius": 3})";
const std::string kTwoMatrices = R"({"type": "product", "parts": [)" + kMatrices + ", " + kMatrices + "]}";
const std::string kOfw = R"({"type": "delayed_ofw", "eta": 0.1})";
const std::string kPerturbed = R"({"type": "delayed_ospf", "delta": 0.1, "block": 1})";

AnySet drawn_set(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

// The sum of what a learner plays in 30 rounds; the same numbers for both halves where there are two.
Vec played(const std::string& set_json, const std::string& json, std::size_t halves = 1) {
  const AnySet set = drawn_set(set_json);
  const spec::Value value = spec::parse_json(json);
  AnyLearner learner = make_learner(spec::Node(value, "learner"), LearnerSetting{set, {}});
  RandomSequence random(9);
  Vec g(static_cast<std::size_t>(set.dimension())), x(g.size()), sum(g.size(), 0.0);
  const std::size_t length = g.size() / halves;
  for (Round t = 1; t <= 30; ++t) {
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t half = 0; half < halves; ++half) g[half * length + i] = half == 0 ? random.gaussian() : g[i];
    Memo memo;
    learner.play(t, nullptr, memo);
    learner.write(x);
    for (std::size_t i = 0; i < x.size(); ++i) sum[i] += x[i];
    learner.receive(t, {.gradient = Covector::dense(g)}, memo);
  }
  return sum;
}

bool halves_agree(const Vec& x) {
  return std::equal(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2),
                    x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2));
}

std::string two(const std::string& type, const std::string& learner) {
  return R"({"type": ")" + type + R"(", "learners": [)" + learner + ", " + learner + "]}";
}

TEST(OwnDraws, BlocksOfAProductSearchInDirectionsOfTheirOwn) {
  EXPECT_FALSE(halves_agree(played(kTwoMatrices, kOfw, 2)));
}

TEST(OwnDraws, LearnersOfBlocksDrawTheirOwn) {
  EXPECT_FALSE(halves_agree(played(kTwoMatrices, two("per_block", kOfw), 2)));
  const std::string balls = R"({"type": "product", "parts": [{"type": "l2_ball", "dimension": 3, "radius": 1},
    {"type": "l2_ball", "dimension": 3, "radius": 1}]})";
  EXPECT_FALSE(halves_agree(played(balls, two("per_block", kPerturbed), 2)));
}

// A hedge of two that draw the same is either of them.
TEST(OwnDraws, BasesOfAHedgeDrawTheirOwn) {
  for (const std::string& base : {kOfw, kPerturbed}) {
    const std::string one = R"({"type": "hedge", "learners": [)" + base + "]}";
    const Vec x = played(kMatrices, one), y = played(kMatrices, two("hedge", base));
    double apart = 0;
    for (std::size_t i = 0; i < x.size(); ++i) apart = std::max(apart, std::fabs(x[i] - y[i]));
    EXPECT_GT(apart, 1e-6) << base;
  }
}

}  // namespace
}  // namespace tarry
