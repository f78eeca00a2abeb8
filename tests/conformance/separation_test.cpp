// Every set that separates: its own points get nothing; a point outside gets a half-space that holds the set, by its
// own oracle, and not the point. A search climbs over points towards a half-space that the set sticks out of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/examples.h"
#include "conformance/sampling.h"
#include "tarry/learners/descent/infeasible_projection.h"
#include "tarry/linalg/norms.h"

namespace tarry::conformance {
namespace {

std::vector<Example> that_separate() {
  std::vector<Example> examples = all_set_examples();
  std::erase_if(examples, [](const Example& one) { return !make_set(one).can_separate(); });
  return examples;
}

TEST(WithoutSeparation, ASetRefusesToSeparate) {
  for (const Example& one : all_set_examples()) {
    const AnySet set = make_set(one);
    if (set.can_separate()) continue;
    EXPECT_THROW(set.separate(set.start().dense()), Error) << one.name;
  }
}

class Separation : public testing::TestWithParam<Example> {
 protected:
  // From the start in any direction, a vertex pushed outwards, or a point of the set with one entry changed.
  Vec outsider() {
    const double far = size_of(set_) * std::pow(10.0, random_.uniform(-7, random_.below(10) == 0 ? 60 : 2));
    Vec y = random_.below(2) == 0 ? start_ : answer(set_, random_direction(random_, n_));
    const Vec z = random_.below(3) == 0 ? random_direction(random_, n_) : random_unit(random_, n_);
    if (random_.below(4) == 0) {
      y[random_.below(y.size())] += far * random_.gaussian();
    } else {
      for (std::size_t k = 0; k < y.size(); ++k) y[k] += far * z[k];
    }
    return y;
  }

  // How far the set reaches beyond the half-space that y gets, in sizes of the set; -1 where it gets none.
  double sticks_out(std::span<const double> y) const {
    const auto cut = set_.separate(y);
    if (!cut) return -1;
    const auto length_of_normal = length(cut->normal);
    const long double most = dot(cut->normal, answer(set_, scaled(cut->normal, -1)));
    return static_cast<double>((most - cut->most) / (length_of_normal * size_of(set_)));
  }

  AnySet set_ = make_set(GetParam());
  Index n_ = set_.dimension();
  Vec start_ = set_.start().dense();
  RandomSequence random_{23};
};

TEST_P(Separation, LeavesItsOwnPointsAlone) {
  EXPECT_FALSE(set_.separate(start_));
  EXPECT_FALSE(set_.separate(set_.centre().dense()));
  FeasiblePoints points(set_, random_);
  for (int i = 0; i < repeat(300); ++i) {
    const Vec x = points.next();
    const auto cut = set_.separate(x);
    // A set that was moved cannot tell better than its points are written.
    EXPECT_TRUE(!cut || cut->depth(x) <= 1e-12 * size_of(set_)) << testing::PrintToString(x);
  }
}

TEST_P(Separation, HoldsTheSetAndNotThePoint) {
  int outside = 0;
  for (int i = 0; i < repeat(300); ++i) {
    const Vec y = outsider();
    const auto cut = set_.separate(y);
    EXPECT_TRUE(cut || set_.contains(y, 1e-9)) << testing::PrintToString(y);
    if (!cut) continue;
    ++outside;
    ASSERT_TRUE(all_finite(cut->normal) && norm2(cut->normal) > 0);
    EXPECT_GT(cut->depth(y), 0) << testing::PrintToString(y);
    EXPECT_LE(sticks_out(y), 1e-12) << testing::PrintToString(y);
  }
  EXPECT_GT(outside, repeat(300) / 6);
}

TEST_P(Separation, IsNotBrokenByAClimb) {
  for (int start = 0; start < repeat(3); ++start) {
    Vec y = outsider();
    double worst = sticks_out(y);
    for (int step = 0; step < 200; ++step) {
      Vec other = y;
      const double size = std::max(1e-9 * size_of(set_), norm2(y)) * std::pow(10.0, random_.uniform(-9, 0));
      if (random_.below(2) == 0) {
        other[random_.below(y.size())] += size * random_.gaussian();
      } else {
        for (double& yi : other) yi += size * random_.gaussian();
      }
      if (const double now = sticks_out(other); now >= worst) {
        worst = now;
        y = std::move(other);
      }
    }
    EXPECT_LE(worst, 1e-12) << testing::PrintToString(y);
  }
}

// Half-spaces may be as many as (diameter / inner radius)².
bool is_flat(const AnySet& set) {
  const auto ball = set.inscribed();
  return ball && ball->radius < 1e-4 * set.diameter();
}

TEST_P(Separation, LeadsIntoTheSetAndAwayFromNoPointOfAShrunkOne) {
  if (set_.diameter() == 0) GTEST_SKIP() << "a single point";
  FeasiblePoints points(set_, random_);
  const Vec centre = set_.centre().dense();
  for (int i = 0; i < repeat(60); ++i) {
    const Vec from = outsider();
    const double share = std::pow(10.0, random_.uniform(-3, -0.3));
    Vec y = from;
    const bool done = cut_into(set_, {centre, share}, start_, y);
    // A flat set, or one far away, takes more half-spaces than anybody would wait for.
    ASSERT_TRUE(done || is_flat(set_) || distance(from, start_) > 1e6 * size_of(set_)) << testing::PrintToString(from);
    ASSERT_TRUE(set_.contains(y, 1e-9)) << testing::PrintToString(y);
    for (int j = 0; done && j < 20; ++j) {
      const Vec z = mix(points.next(), centre, share);
      const auto before = static_cast<double>(distance(from, z)), after = static_cast<double>(distance(y, z));
      EXPECT_LE(after, before * (1 + 1e-9) + 1e-12 * size_of(set_));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Separation, testing::ValuesIn(that_separate()), example_name);

class LinearProjection : public testing::TestWithParam<Example> {};

TEST_P(LinearProjection, EndsBesideTheSetAndAwayFromNoneOfItsPoints) {
  const AnySet set = make_set(GetParam());
  if (set.diameter() == 0) GTEST_SKIP() << "a single point";
  RandomSequence random{29};
  FeasiblePoints points(set, random);
  for (int i = 0; i < repeat(20); ++i) {
    const double close = set.diameter() * std::pow(10.0, random.uniform(-1.5, -0.3));
    const double far = size_of(set) * std::pow(10.0, random.uniform(-2, i % 5 == 0 ? 60 : 1));
    Vec x = points.next(), y = x;
    const Vec z = random_unit(random, set.dimension());
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += far * z[k];
    const Vec from = y;
    ASSERT_TRUE(bring_together(set, close, x, y));
    EXPECT_LE(static_cast<double>(distance(x, y)), close * (1 + 1e-12));
    EXPECT_TRUE(set.contains(x, 1e-9));
    for (int j = 0; j < 20; ++j) {
      const Vec point = points.next();
      EXPECT_LE(static_cast<double>(distance(y, point)),
                static_cast<double>(distance(from, point)) * (1 + 1e-9) + 1e-12 * size_of(set));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LinearProjection, testing::ValuesIn(all_set_examples()), example_name);

}  // namespace
}  // namespace tarry::conformance
