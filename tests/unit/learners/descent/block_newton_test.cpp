#include "tarry/learners/descent/block_newton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr Index kFeatures = 4, kOf = 4;

BlockNewton fresh() { return {Bounds::everywhere(kFeatures + kOf * kOf, -10, 10), kFeatures, kOf}; }

// Feature 1 of an action, and its products with features 2 and 3 of a context.
struct OneRow {
  std::vector<Index> indices = {1, kFeatures + kOf + 2, kFeatures + kOf + 3};
  Vec values;
  Covector view() const { return Covector::sparse(indices, values); }
};

// One step of least squares: the slope at its end.
void learn(BlockNewton& newton, const OneRow& row, double label) {
  const auto [prediction, variance] = newton.look(row.view());
  newton.step((prediction - label) / (1 + variance));
  newton.shrink(1);
}

// Solves Mx = b by elimination: the plain way.
Vec solved(std::vector<Vec> m, Vec b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double by = m[r][i] / m[i][i];
      for (std::size_t c = 0; c < n; ++c) m[r][c] -= by * m[i][c];
      b[r] -= by * b[i];
    }
  for (std::size_t i = 0; i < n; ++i) b[i] /= m[i][i];
  return b;
}

TEST(BlockNewton, IsRidgeRegressionForSquares) {
  BlockNewton newton = fresh();
  RandomSequence random(3);
  std::vector<Vec> sums(3, Vec(3, 0.0));
  for (std::size_t i = 0; i < 3; ++i) sums[i][i] = 1 / BlockNewton::kPrior;
  Vec right(3, 0.0);
  for (int t = 0; t < 60; ++t) {
    const OneRow row{.values = {1, random.gaussian(), random.gaussian()}};
    const double label = 0.3 - row.values[1] + 0.5 * row.values[2] + 0.1 * random.gaussian();
    learn(newton, row, label);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) sums[i][j] += row.values[i] * row.values[j];
      right[i] += row.values[i] * label;
    }
  }
  const Vec best = solved(sums, right);
  const OneRow probe{.values = {1, 0.7, -1.2}};
  EXPECT_NEAR(newton.predict(probe.view()), best[0] + 0.7 * best[1] - 1.2 * best[2], 1e-9);
  const Vec reach = solved(sums, probe.values);
  EXPECT_NEAR(newton.variance(probe.view()), reach[0] + 0.7 * reach[1] - 1.2 * reach[2], 1e-9);
}

TEST(BlockNewton, KnowsNothingAtFirst) {
  const BlockNewton newton = fresh();
  const OneRow row{.values = {1, 2, 0.5}};
  EXPECT_EQ(newton.predict(row.view()), 0);
  EXPECT_NEAR(newton.variance(row.view()), BlockNewton::kPrior * 5.25, 1e-12);
}

TEST(BlockNewton, GoesOnFromASnapshot) {
  BlockNewton newton = fresh(), loaded = fresh();
  RandomSequence random(7);
  const auto row = [&] { return OneRow{.values = {1, random.gaussian(), random.gaussian()}}; };
  for (int t = 0; t < 20; ++t) learn(newton, row(), random.gaussian());
  ByteWriter out;
  newton.save(out);
  ByteReader in(out.bytes());
  loaded.load(in);
  in.expect_end();
  for (int t = 0; t < 20; ++t) {
    const OneRow next = row();
    const double label = random.gaussian();
    learn(newton, next, label);
    learn(loaded, next, label);
    EXPECT_EQ(newton.predict(next.view()), loaded.predict(next.view()));
    EXPECT_EQ(newton.variance(next.view()), loaded.variance(next.view()));
  }
}

TEST(BlockNewton, StaysInItsBox) {
  BlockNewton newton(Bounds::everywhere(kFeatures + kOf * kOf, -1, 1), kFeatures, kOf);
  for (int t = 0; t < 50; ++t) learn(newton, OneRow{.values = {1, 1, 1}}, 100);
  EXPECT_LE(newton.predict(OneRow{.values = {1, 1, 1}}.view()), 3);
  Vec x(static_cast<std::size_t>(kFeatures + kOf * kOf));
  newton.write(x);
  EXPECT_EQ(x[1], 1);
  EXPECT_EQ(x[0], 0);
}

// More weights than have covariances: the others learn by their variances alone, and what is known goes on.
TEST(BlockNewton, LearnsPastTheWeightsThatHaveCovariances) {
  constexpr Index kMany = 300;
  BlockNewton newton(Bounds::everywhere(2 + 2 * kMany * kMany, -10, 10), 2 + kMany, kMany);
  for (int t = 0; t < 5; ++t)
    for (Index c = 2; c < kMany; ++c) {
      const OneRow row{{1, 2 + kMany + kMany + c}, {1, 1}};
      learn(newton, row, c % 2 == 0 ? 1 : -1);
    }
  for (Index c : {Index{10}, Index{11}, Index{250}, Index{251}}) {
    const OneRow row{{1, 2 + kMany + kMany + c}, {1, 1}};
    EXPECT_GT(newton.predict(row.view()) * (c % 2 == 0 ? 1 : -1), 0.5) << c;
  }
}

TEST(BlockNewton, RefusesASnapshotThatCannotBe) {
  BlockNewton newton = fresh();
  learn(newton, OneRow{.values = {1, 1, 1}}, 1);
  ByteWriter out;
  newton.save(out);
  std::string bytes(out.bytes());
  bytes[8] = 99;  // the feature of the first block
  ByteReader in(bytes);
  EXPECT_ERROR(newton.load(in), Code::kCorrupt, "snapshot: the covariances of a learner are impossible");
}

}  // namespace
}  // namespace tarry
