// The dense and the sparse track against y and p kept as plain vectors: same sweeps, same atoms, same steps.
#include "tarry/tracks/track.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/tracks/dense_track.h"
#include "tarry/tracks/sparse_track.h"

namespace tarry {
namespace {

// y and p in full; p += a g + γ y, c = p + b y, y += σ (v − y), nothing clever.
class PlainTrack {
 public:
  PlainTrack(const Start& start, double p_over_y) : y_(start.dense()), p_(y_) {
    for (double& x : p_) x *= p_over_y;
  }

  void sweep(const Covector& g, const Sweep& k) {
    g.each([&](Index i, double gi) { p_[static_cast<std::size_t>(i)] += k.a * gi; });
    c_.resize(y_.size());
    for (std::size_t i = 0; i < y_.size(); ++i) {
      p_[i] += k.gamma * y_[i];
      c_[i] = p_[i] + k.b * y_[i];
    }
  }

  Extreme extreme(Need need) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < c_.size(); ++i) {
      const bool better = need == Need::kMin ? c_[i] < c_[best] : std::fabs(c_[i]) > std::fabs(c_[best]);
      if (better) best = i;
    }
    return {static_cast<Index>(best), c_[best]};
  }

  Segment toward(const Atom& atom) const {
    Vec v(y_.size());
    tarry::write(atom, v);
    long double gap = 0, width = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const long double away = static_cast<long double>(y_[i]) - v[i];
      gap += c_[i] * away;
      width += away * away;
    }
    return {static_cast<double>(gap), static_cast<double>(width)};
  }

  void step(double sigma, const Atom& atom) {
    Vec v(y_.size());
    tarry::write(atom, v);
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = (1 - sigma) * y_[i] + sigma * v[i];
  }

  const Vec& y() const { return y_; }
  const Vec& p() const { return p_; }

 private:
  Vec y_, p_, c_;
};

struct Rule {
  const char* name;
  double p_over_y;
  Sweep (*at)(int tau);
};

constexpr Rule kRules[] = {
    {"Algorithm 1", -2, [](int) { return Sweep{.a = 0.3, .gamma = 0, .b = 2}; }},
    {"Algorithm 2", 0, [](int tau) { return Sweep{.a = 1, .gamma = -0.7, .b = 0.7 * tau}; }},
};

struct Case {
  const char* name;
  Start start;
  Need need;
};

std::vector<Case> cases() {
  Vec corner(60, 0.0), few(60, 0.0);
  corner[7] = 1;
  few[3] = 0.25;
  few[50] = 0.75;
  return {{"l1 from zero", {60, 0, {}}, Need::kMaxAbs},
          {"l1 from a corner", {60, 0, corner}, Need::kMaxAbs},
          {"simplex from its middle", {60, 1.0 / 60, {}}, Need::kMin},
          {"simplex from few", {60, 0, few}, Need::kMin},
          {"unit simplex from zero", {60, 0, {}}, Need::kMin}};
}

struct SparseGradient {
  std::vector<Index> at;
  Vec value;
  Covector covector() const { return Covector::sparse(at, value); }
};

SparseGradient random_gradient(RandomSequence& random, Index n, bool whole_numbers) {
  SparseGradient g;
  for (Index i = 0; i < n; ++i) {
    if (random.uniform() > 0.08) continue;
    g.at.push_back(i);
    g.value.push_back(whole_numbers ? static_cast<double>(random.below(5)) - 2 : random.gaussian());
  }
  return g;
}

double plain_dot(const SparseGradient& g, const Vec& y) {
  double sum = 0;
  g.covector().each([&](Index i, double gi) { sum += gi * y[static_cast<std::size_t>(i)]; });
  return sum;
}

Atom vertex(const Extreme& e, Need need, bool origin) {
  if (origin) return {SparseAtom{}};
  return {SparseAtom{{e.at}, {need == Need::kMaxAbs ? std::copysign(1.0, -e.value) : 1.0}}};
}

double random_sigma(RandomSequence& random) {
  const double kind = random.uniform();
  return kind < 0.1 ? 1 : kind < 0.2 ? 0 : random.uniform();
}

TEST(Tracks, AgreeWithPlainVectorsOnSparseGames) {
  for (const Rule& rule : kRules)
    for (const Case& game : cases()) {
      SCOPED_TRACE(std::string(rule.name) + ", " + game.name);
      RandomSequence random(1);
      PlainTrack plain(game.start, rule.p_over_y);
      DenseTrack dense(game.start, rule.p_over_y, game.need);
      SparseTrack sparse(game.start, rule.p_over_y, game.need);
      Vec y(60), p(60);
      for (int tau = 1; tau <= 400; ++tau) {
        const SparseGradient g = random_gradient(random, 60, false);
        const Sweep k = rule.at(tau);
        plain.sweep(g.covector(), k);
        dense.sweep(g.covector(), k);
        sparse.sweep(g.covector(), k);
        const Extreme expected = plain.extreme(game.need);
        const double size = 1 + std::fabs(expected.value);
        ASSERT_NEAR(dense.extreme().value, expected.value, 1e-11 * size) << tau;
        ASSERT_NEAR(sparse.extreme().value, expected.value, 1e-11 * size) << tau;

        const Atom v = vertex(expected, game.need, random.uniform() < 0.1);
        const Segment way = plain.toward(v);
        for (const Track* track : {static_cast<const Track*>(&dense), static_cast<const Track*>(&sparse)}) {
          const Segment measured = track->toward(v);
          ASSERT_NEAR(measured.gap, way.gap, 1e-10 * (size + std::fabs(way.gap))) << tau;
          ASSERT_NEAR(measured.width, way.width, 1e-12) << tau;
          ASSERT_NEAR(track->dot(g.covector()), plain_dot(g, plain.y()), 1e-12);
        }
        const double sigma = random_sigma(random);
        plain.step(sigma, v);
        dense.step(sigma, v);
        sparse.step(sigma, v);
        dense.write(y);
        for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], plain.y()[i], 1e-12) << tau;
        sparse.write(y);
        sparse.write_p(p);
        for (std::size_t i = 0; i < y.size(); ++i) {
          ASSERT_NEAR(y[i], plain.y()[i], 1e-12) << tau;
          ASSERT_NEAR(p[i], plain.p()[i], 1e-10 * size) << tau;
        }
      }
    }
}

// Everything a power of two: arithmetic is exact, ties are real, and the lowest index must win in every form.
TEST(Tracks, BreakExactTiesByTheLowestIndex) {
  constexpr Index kSize = 16;
  const Case games[] = {{"l1", {kSize, 0, {}}, Need::kMaxAbs},
                        {"simplex", {kSize, 1.0 / kSize, {}}, Need::kMin},
                        {"unit simplex", {kSize, 0, {}}, Need::kMin}};
  for (const Case& game : games)
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      SCOPED_TRACE(std::string(game.name) + ", seed " + std::to_string(seed));
      RandomSequence random(seed);
      PlainTrack plain(game.start, -2);
      DenseTrack dense(game.start, -2, game.need);
      SparseTrack sparse(game.start, -2, game.need);
      const Sweep k{.a = 1, .gamma = 0, .b = 2};
      for (int tau = 1; tau <= 12; ++tau) {
        const SparseGradient g = random_gradient(random, kSize, true);
        plain.sweep(g.covector(), k);
        dense.sweep(g.covector(), k);
        sparse.sweep(g.covector(), k);
        const Extreme expected = plain.extreme(game.need);
        ASSERT_EQ(dense.extreme().at, expected.at) << tau;
        ASSERT_EQ(sparse.extreme().at, expected.at) << tau;
        ASSERT_EQ(sparse.extreme().value, expected.value) << tau;
        const Atom v = vertex(expected, game.need, false);
        const double sigma = random.below(4) == 0 ? 1 : 0.5;
        plain.step(sigma, v);
        dense.step(sigma, v);
        sparse.step(sigma, v);
      }
    }
}

TEST(SparseTrack, FindsTheExtremeWhenEveryCoordinateIsTouched) {
  SparseTrack track({3, 0, {}}, -2, Need::kMin);
  const std::vector<Index> all = {0, 1, 2};
  track.sweep(Covector::sparse(all, Vec{3, 1, 2}), {.a = 1, .gamma = 0, .b = 2});
  EXPECT_EQ(track.extreme().at, 1);
  track.sweep(Covector::sparse(all, Vec{0, 5, 5}), {.a = 1, .gamma = 0, .b = 2});
  EXPECT_EQ(track.extreme().at, 0);
  EXPECT_EQ(track.extreme().value, 3);
  EXPECT_EQ(track.touched(), 3u);
}

TEST(SparseTrack, AFullStepEmptiesTheSupport) {
  SparseTrack track({1000, 0, {}}, -2, Need::kMaxAbs);
  for (Index i = 0; i < 10; ++i) track.step(0.5, {SparseAtom{{i}, {1}}});
  EXPECT_EQ(track.support(), 10u);
  track.step(1, {SparseAtom{{500}, {-1}}});
  EXPECT_EQ(track.support(), 1u);
  Vec y(1000);
  track.write(y);
  EXPECT_EQ(y[500], -1);
  EXPECT_EQ(y[3], 0);
}

TEST(SparseTrack, FitsOnlyWhatItCanKeepSorted) {
  EXPECT_FALSE(SparseTrack::fits({5, 0, {}}, Need::kDense));
  EXPECT_TRUE(SparseTrack::fits({5, 0, {}}, Need::kMaxAbs));
  EXPECT_FALSE(SparseTrack::fits({5, 0.2, {}}, Need::kMaxAbs));
  EXPECT_TRUE(SparseTrack::fits({5, 0.2, {}}, Need::kMin));
  EXPECT_TRUE(SparseTrack::fits({2000, 0, Vec(2000, 0.0)}, Need::kMin));
  EXPECT_FALSE(SparseTrack::fits({2000, 0, Vec(2000, 0.1)}, Need::kMin));
}

// Thousands of small steps drive the lazy scale below its fold and back.
TEST(Tracks, SurviveManyFolds) {
  PlainTrack plain({40, 1.0 / 40, {}}, 0);
  DenseTrack dense(Start{40, 1.0 / 40, {}}, 0, Need::kMin);
  SparseTrack sparse({40, 1.0 / 40, {}}, 0, Need::kMin);
  RandomSequence random(3);
  Vec y(40);
  for (int step = 0; step < 3000; ++step) {
    const Atom v{SparseAtom{{static_cast<Index>(random.below(20))}, {1}}};
    const double sigma = random.uniform();
    plain.step(sigma, v);
    dense.step(sigma, v);
    sparse.step(sigma, v);
  }
  dense.write(y);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], plain.y()[i], 1e-12);
  sparse.write(y);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], plain.y()[i], 1e-12);
}

TEST(Tracks, MeasureAShortWayWithoutCancellation) {
  Vec near(50, 0.0);
  near[4] = 1 - 1e-9;
  near[9] = 1e-9;
  const Atom v{SparseAtom{{4}, {1}}};
  const std::vector<Index> at = {4, 9};
  for (Need need : {Need::kMaxAbs, Need::kMin}) {
    const Start start{50, 0, near};
    DenseTrack dense(start, -2, need);
    SparseTrack sparse(start, -2, need);
    PlainTrack plain(start, -2);
    const Vec g = {-1, 3};
    const Sweep k{.a = 1, .gamma = 0, .b = 2};
    plain.sweep(Covector::sparse(at, g), k);
    dense.sweep(Covector::sparse(at, g), k);
    sparse.sweep(Covector::sparse(at, g), k);
    const Segment way = plain.toward(v);
    for (const Segment& measured : {dense.toward(v), sparse.toward(v)}) {
      EXPECT_NEAR(measured.width / way.width, 1, 1e-6);
      EXPECT_NEAR(measured.gap / way.gap, 1, 1e-6);
    }
  }
}

}  // namespace
}  // namespace tarry
