// What every set says of its shape: membership, diameter, curvature and projection, each held to its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "conformance/examples.h"
#include "conformance/sampling.h"
#include "tarry/linalg/norms.h"

namespace tarry::conformance {
namespace {

constexpr double kInside = 1e-9;

class SetGeometry : public testing::TestWithParam<Example> {
 protected:
  AnySet set_ = make_set(GetParam());
  Index n_ = set_.dimension();
  RandomSequence random_{11};
};

// ---- membership

TEST_P(SetGeometry, ContainsItsStartItsVerticesAndTheirMixtures) {
  EXPECT_TRUE(set_.contains(set_.start().dense(), kInside));
  FeasiblePoints points(set_, random_);
  for (int i = 0; i < repeat(1000); ++i) {
    const Vec x = points.next();
    ASSERT_TRUE(set_.contains(x, kInside)) << testing::PrintToString(x);
  }
}

TEST_P(SetGeometry, RejectsPointsBeyondItsVertices) {
  const Vec start = set_.start().dense();
  int tried = 0;
  for (int i = 0; i < repeat(200); ++i) {
    const Vec c = random_unit(random_, n_), v = answer(set_, c);
    if (dot(c, start) - dot(c, v) <= 1e-3 * set_.diameter()) continue;  // this face goes through the start
    ++tried;
    EXPECT_FALSE(set_.contains(mix(start, v, 1.01), kInside)) << testing::PrintToString(v);
    EXPECT_FALSE(set_.contains(mix(start, v, 100), kInside)) << testing::PrintToString(v);
  }
  EXPECT_TRUE(tried > 0 || set_.diameter() == 0);
}

TEST_P(SetGeometry, RejectsPointsFurtherThanADiameter) {
  const Vec start = set_.start().dense();
  for (int i = 0; i < repeat(100); ++i) {
    Vec x = start;
    const Vec z = random_unit(random_, n_);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += 1.01 * std::max(set_.diameter(), 1e-3) * z[k];
    EXPECT_FALSE(set_.contains(x, kInside));
  }
}

// A unit vector along which the set has no width, if it has one: what is left of a random vector after taking out
// every direction in which the oracle finds two different points (Gram and Schmidt, twice).
std::optional<Vec> normal_of_the_hull(const AnySet& set, RandomSequence& random) {
  std::vector<Vec> basis;
  const auto take_out = [&](Vec& x) {
    for (int pass = 0; pass < 2; ++pass)
      for (const Vec& b : basis) {
        const auto along = static_cast<double>(dot(b, x));
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= along * b[k];
      }
  };
  Vec z = random_unit(random, set.dimension());
  while (basis.size() < z.size()) {
    take_out(z);
    z = scaled(z, static_cast<double>(1 / length(z)));
    Vec across = answer(set, scaled(z, -1));
    const Vec low = answer(set, z);
    for (std::size_t k = 0; k < across.size(); ++k) across[k] -= low[k];
    if (dot(z, across) <= 1e-9 * size_of(set)) return z;
    take_out(across);
    basis.push_back(scaled(across, static_cast<double>(1 / length(across))));
  }
  return std::nullopt;
}

TEST_P(SetGeometry, RejectsPointsOffItsAffineHull) {
  FeasiblePoints points(set_, random_);
  for (int i = 0; i < repeat(20); ++i) {
    const auto normal = normal_of_the_hull(set_, random_);
    if (!normal) GTEST_SKIP() << "its hull is the whole space";
    Vec x = points.next();
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += 1e-5 * size_of(set_) * (*normal)[k];
    EXPECT_FALSE(set_.contains(x, kInside)) << testing::PrintToString(x);
  }
}

TEST_P(SetGeometry, RejectsWhatIsNotAPoint) {
  const Vec start = set_.start().dense();
  for (std::size_t i = 0; i < start.size(); ++i)
    for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                       -std::numeric_limits<double>::infinity()}) {
      Vec x = start;
      x[i] = bad;
      EXPECT_FALSE(set_.contains(x, kInside)) << "entry " << i << " = " << bad;
    }
  Vec longer = start, shorter = start;
  longer.push_back(0);
  shorter.pop_back();
  EXPECT_FALSE(set_.contains(longer, kInside));
  EXPECT_FALSE(set_.contains(shorter, kInside));
  EXPECT_FALSE(set_.contains(Vec(), kInside));
}

// ---- diameter

// From a random pair, moving both ends as far apart as the oracle can, until that is no further.
double widest_pair(const AnySet& set, RandomSequence& random) {
  Vec c = random_direction(random, set.dimension());
  double widest = 0;
  for (int step = 0; step < 200; ++step) {
    const Vec low = answer(set, c), high = answer(set, scaled(c, -1));
    const double width = static_cast<double>(distance(low, high));
    if (width <= widest) break;
    widest = width;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = low[i] - high[i];
    c = scaled(c, -1 / width);
  }
  return widest;
}

TEST_P(SetGeometry, NoPairIsFurtherApartThanTheDiameter) {
  const double most = set_.diameter() * (1 + 1e-12) + 1e-15 * size_of(set_);
  for (int i = 0; i < repeat(200); ++i) EXPECT_LE(widest_pair(set_, random_), most);
  FeasiblePoints points(set_, random_);
  for (int i = 0; i < repeat(1000); ++i) EXPECT_LE(static_cast<double>(distance(points.next(), points.next())), most);
}

// Whether the diameter is exact: for the plain sets, and for what is made of them.
bool attains_its_diameter(const spec::Node& set) {
  static const std::set<std::string> kPlain = {
      "l1_ball",      "l2_ball",      "linf_ball", "lp_ball",       "box",           "simplex",
      "ellipsoid",    "unit_simplex", "k_sparse",  "hypersimplex",  "permutahedron", "group_ball",
      "nuclear_ball", "hull",         "birkhoff",  "schatten_ball", "spectrahedron", "fantope"};
  const std::string type = set.type();
  if (type == "translate" || type == "scale" || type == "cached") return attains_its_diameter(set.at("set"));
  if (type != "product") return kPlain.contains(type);
  const auto parts = set.at("parts").list();
  return std::all_of(parts.begin(), parts.end(), attains_its_diameter);
}

TEST_P(SetGeometry, AttainsItsDiameter) {
  const spec::Value value = GetParam().value();
  if (!attains_its_diameter(spec::Node(value, "set"))) GTEST_SKIP() << "its diameter may be a bound";
  double widest = 0;
  for (int i = 0; i < 50; ++i) widest = std::max(widest, widest_pair(set_, random_));
  EXPECT_GE(widest, set_.diameter() * (1 - 1e-9));
}

// ---- a ball inside

TEST_P(SetGeometry, ContainsTheBallThatItTells) {
  const auto ball = set_.inscribed();
  if (!ball) GTEST_SKIP() << "tells no ball inside it";
  EXPECT_GT(ball->radius, 0);
  for (int i = 0; i < repeat(300); ++i) {
    // Towards the nearest face, and anywhere.
    Vec u = random_unit(random_, n_);
    if (i % 3 == 1) u = scaled(Vec(u.size(), 1.0), (i % 2 == 0 ? 1 : -1) / std::sqrt(static_cast<double>(n_)));
    if (i % 3 == 2) {
      u.assign(u.size(), 0.0);
      u[static_cast<std::size_t>(i) % u.size()] = i % 2 == 0 ? 1 : -1;
    }
    Vec x = ball->centre;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += ball->radius * u[k];
    ASSERT_TRUE(set_.contains(x, kInside)) << testing::PrintToString(x);
  }
}

// Every set that is as wide as the whole space must tell one, or learners refuse it for no reason.
TEST_P(SetGeometry, OnlySetsWithoutAnInteriorTellNoBall) {
  if (set_.inscribed()) return;
  static const std::set<std::string> kNotTold = {"hull",      "matching", "polytope", "cached",
                                                 "translate", "scale",    "product"};
  if (kNotTold.contains(spec::Node(GetParam().value(), "set").type()))
    GTEST_SKIP() << "it does not know, or what it is made of does not";
  EXPECT_TRUE(normal_of_the_hull(set_, random_).has_value());
}

// ---- curvature

// Pairs both far apart and close together, on the boundary and inside.
std::pair<Vec, Vec> random_pair(const AnySet& set, FeasiblePoints& points, RandomSequence& random) {
  if (random.uniform() < 0.3) return {points.next(), points.next()};
  const Vec c = random_unit(random, set.dimension()), turn = random_unit(random, set.dimension());
  const double angle = std::pow(10.0, random.uniform(-3, 0.5));
  return {answer(set, c), answer(set, mix(c, turn, angle / (1 + angle)))};
}

TEST_P(SetGeometry, IsAsStronglyConvexAsItSays) {
  const auto beta = set_.strong_convexity();
  if (!beta) GTEST_SKIP() << "claims no strong convexity";
  EXPECT_GT(*beta, 0);
  FeasiblePoints points(set_, random_);
  const Vec start = set_.start().dense();
  for (int i = 0; i < repeat(1000); ++i) {
    const auto [x, y] = random_pair(set_, points, random_);
    const double gamma = random_.uniform();
    const Vec between = mix(y, x, gamma);
    const auto gap = static_cast<double>(distance(x, y));
    Vec z = random_unit(random_, n_);
    if (const long double out = distance(between, start); i % 2 == 0 && out > 0)  // straight out: the hardest way
      for (std::size_t k = 0; k < z.size(); ++k)
        z[k] = static_cast<double>((static_cast<long double>(between[k]) - start[k]) / out);
    Vec pushed = between;
    for (std::size_t k = 0; k < z.size(); ++k) pushed[k] += gamma * (1 - gamma) * (*beta / 2) * gap * gap * z[k];
    ASSERT_TRUE(set_.contains(pushed, kInside)) << "x, y " << gap << " apart, gamma " << gamma;
  }
}

// inf {t > 0 : x/t in K}, by bisection on membership.
double gauge(const AnySet& set, std::span<const double> x) {
  const auto inside = [&](double t) { return set.contains(scaled(Vec(x.begin(), x.end()), 1 / t), 0); };
  double low = 0, high = 1;
  while (!inside(high)) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (inside(middle) ? high : low) = middle;
  }
  return high;
}

TEST_P(SetGeometry, HalfItsSquaredGaugeIsAsCurvedAsItSays) {
  const auto mu = set_.gauge_curvature();
  if (!mu) GTEST_SKIP() << "claims no gauge curvature";
  EXPECT_GT(*mu, 0);
  EXPECT_TRUE(set_.contains(Vec(static_cast<std::size_t>(n_), 0.0), 0)) << "a gauge needs the origin";
  const auto half_square = [&](std::span<const double> x) { return std::pow(gauge(set_, x), 2) / 2; };
  for (int i = 0; i < repeat(300); ++i) {
    const Vec x = scaled(random_unit(random_, n_), random_.uniform(0, 2) * set_.diameter());
    const Vec y = i % 2 == 0 ? scaled(random_unit(random_, n_), random_.uniform(0, 2) * set_.diameter())
                             : mix(x, random_unit(random_, n_), random_.uniform(0, 0.3));
    const double gamma = random_.uniform();
    const double gap = static_cast<double>(distance(x, y));
    const double chord = gamma * half_square(x) + (1 - gamma) * half_square(y);
    EXPECT_LE(half_square(mix(y, x, gamma)), chord - *mu / 2 * gamma * (1 - gamma) * gap * gap + 1e-9 * chord);
  }
}

// ---- projection

TEST_P(SetGeometry, ProjectsToTheNearestPoint) {
  if (!set_.can_project()) {
    Vec x(static_cast<std::size_t>(n_), 0.0);
    EXPECT_THROW(set_.project(x), Error);
    return;
  }
  const Vec start = set_.start().dense();
  const double size = std::max(set_.diameter(), size_of(set_) * 1e-3);
  for (int i = 0; i < repeat(300); ++i) {
    const double far = size * std::pow(10.0, random_.uniform(-2, i % 10 == 0 ? 18 : 2));
    const Vec z = i % 3 == 0 ? random_direction(random_, n_) : random_unit(random_, n_);
    Vec x = start;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += far * z[k];
    Vec nearest = x;
    set_.project(nearest);
    ASSERT_TRUE(set_.contains(nearest, kInside)) << far << ": " << testing::PrintToString(nearest);

    Vec again = nearest;
    set_.project(again);
    EXPECT_LE(static_cast<double>(distance(nearest, again)), 1e-12 * size_of(set_));

    // ⟨x − P, v − P⟩ ≤ 0 for every v of the set; the oracle knows the worst.
    Vec away(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) away[k] = x[k] - nearest[k];
    const Vec worst = answer(set_, scaled(away, -1));
    EXPECT_LE(dot(away, worst) - dot(away, nearest), 1e-10 * (length(away) + 1e-4 * size) * size_of(set_))
        << "at " << far;
  }
}

TEST_P(SetGeometry, LeavesItsOwnPointsWhereTheyAre) {
  if (!set_.can_project()) GTEST_SKIP() << "has no projection";
  FeasiblePoints points(set_, random_);
  for (int i = 0; i < repeat(200); ++i) {
    const Vec x = points.next();
    Vec projected = x;
    set_.project(projected);
    EXPECT_LE(static_cast<double>(distance(x, projected)), 1e-12 * size_of(set_));
  }
}

INSTANTIATE_TEST_SUITE_P(All, SetGeometry, testing::ValuesIn(all_set_examples()), example_name);

}  // namespace
}  // namespace tarry::conformance
