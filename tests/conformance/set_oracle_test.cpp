// The oracle of every set: it beats feasible points, agrees with brute force, breaks ties by index, and survives
// extreme directions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "conformance/brute_force.h"
#include "conformance/examples.h"
#include "conformance/sampling.h"
#include "tarry/linalg/norms.h"

namespace tarry::conformance {
namespace {

constexpr double kInside = 1e-9;
constexpr double kAgreement = 1e-10;

class SetOracle : public testing::TestWithParam<Example> {
 protected:
  AnySet set_ = make_set(GetParam());
  Index n_ = set_.dimension();
  RandomSequence random_{7};

  // What an error of ⟨c, v⟩ is measured against: the value itself, or what the set could make of it.
  double scale_of(std::span<const double> c, long double value) const {
    return static_cast<double>(std::max(std::fabs(value), length(c) * size_of(set_) * 1e-3L));
  }

  void expect_minimum(const Reference& reference, std::span<const double> c, std::span<const double> v) const {
    ASSERT_TRUE(all_finite(v));
    EXPECT_TRUE(set_.contains(v, kInside));
    const long double least = reference(c), value = dot(c, v);
    EXPECT_LE(std::fabs(value - least), kAgreement * scale_of(c, least)) << "value " << value << ", least " << least;
  }
};

TEST_P(SetOracle, BeatsFeasiblePoints) {
  FeasiblePoints points(set_, random_);
  for (int direction = 0; direction < repeat(10); ++direction) {
    const Vec c = random_direction(random_, n_);
    const long double value = dot(c, answer(set_, c));
    for (int i = 0; i < 100; ++i) {
      const long double other = dot(c, points.next());
      ASSERT_LE(value, other + 1e-12 * scale_of(c, other));
    }
  }
}

TEST_P(SetOracle, AgreesWithBruteForce) {
  const auto reference = reference_minimum(GetParam().value());
  if (!reference) GTEST_SKIP() << "no reference: covered by the climb";
  for (int i = 0; i < repeat(1000); ++i) {
    const Vec c = random_direction(random_, n_);
    expect_minimum(*reference, c, answer(set_, c));
    if (HasFailure()) FAIL() << "direction " << i;
  }
}

TEST_P(SetOracle, IsNotBeatenByAClimbAndIsCloseToIt) {
  for (int i = 0; i < repeat(3); ++i) {
    const Vec c = random_unit(random_, n_);
    const long double value = dot(c, answer(set_, c)), from = dot(c, set_.start().dense());
    const long double climbed = climbed_minimum(set_, c, random_, 200 + 40 * static_cast<int>(n_));
    EXPECT_LE(value, climbed + 1e-9 * size_of(set_));
    EXPECT_LE(climbed, from - 0.5L * (from - value) + 1e-9 * size_of(set_)) << "from " << from << " to " << value;
  }
}

TEST_P(SetOracle, AnswersAZeroDirectionWithAFeasiblePoint) {
  const Vec v = answer(set_, Vec(static_cast<std::size_t>(n_), 0.0));
  EXPECT_TRUE(all_finite(v));
  EXPECT_TRUE(set_.contains(v, kInside));
  const Vec negative_zero = answer(set_, Vec(static_cast<std::size_t>(n_), -0.0));
  EXPECT_TRUE(all_finite(negative_zero));
  EXPECT_TRUE(set_.contains(negative_zero, kInside));
}

TEST_P(SetOracle, AgreesOnDirectionsWithOneNonZero) {
  const auto reference = reference_minimum(GetParam().value());
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i)
    for (double value : {1.0, -1.0, 1e-300, -1e80}) {
      Vec c(static_cast<std::size_t>(n_), 0.0);
      c[i] = value;
      const Vec v = answer(set_, c);
      c[i] = value > 0 ? 1 : -1;
      if (reference) expect_minimum(*reference, c, v);
      EXPECT_TRUE(set_.contains(v, kInside));
    }
}

// The value is taken at the direction's unscaled form, so that it neither overflows nor vanishes.
TEST_P(SetOracle, AgreesOnTinyAndHugeDirections) {
  const auto reference = reference_minimum(GetParam().value());
  for (int i = 0; i < repeat(50); ++i)
    for (double scale : {1e-200, 1e90}) {
      const Vec c = random_direction(random_, n_), v = answer(set_, scaled(c, scale));
      EXPECT_TRUE(all_finite(v) && set_.contains(v, kInside));
      if (reference) expect_minimum(*reference, c, v);
    }
}

TEST_P(SetOracle, SurvivesEntriesOfVeryDifferentSizes) {
  const auto reference = reference_minimum(GetParam().value());
  for (int i = 0; i < repeat(50); ++i) {
    Vec c = random_direction(random_, n_);
    for (double& ci : c) ci *= std::pow(10.0, random_.uniform(-12, 0));
    const Vec v = answer(set_, c);
    EXPECT_TRUE(all_finite(v) && set_.contains(v, kInside));
    if (reference) expect_minimum(*reference, c, v);
  }
}

// Among equal coordinates the oracle takes the lowest index: what it moves must be the first of its equals.
TEST_P(SetOracle, BreaksTiesByTheLowestIndex) {
  static const std::set<std::string> kOneOfEquals = {"l1_ball", "simplex", "unit_simplex", "hypersimplex", "k_sparse"};
  if (!kOneOfEquals.contains(GetParam().type())) GTEST_SKIP() << "its vertices do not choose coordinates";
  for (int i = 0; i < repeat(200); ++i) {
    Vec c = tied_direction(random_, n_);
    if (i == 0) c.assign(c.size(), 1.0);
    if (i == 1) c.assign(c.size(), -1.0);
    const Vec v = answer(set_, c);
    for (std::size_t late = 0; late < v.size(); ++late)
      for (std::size_t early = 0; early < late; ++early) {
        const bool equal = c[early] == c[late] && c[late] != 0;
        ASSERT_FALSE(equal && v[late] != 0 && v[early] == 0) << "took " << late << " before " << early;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SetOracle, testing::ValuesIn(all_set_examples()), example_name);

TEST(SetRegistry, EveryEntryHasAnExampleThatNamesIt) {
  for (const SetEntry& entry : set_registry()) {
    ASSERT_FALSE(entry.examples.empty()) << entry.name;
    for (const std::string& json : entry.examples) EXPECT_EQ((Example{"", json}.type()), entry.name);
  }
}

}  // namespace
}  // namespace tarry::conformance
