#include "tarry/linalg/matrices/svd.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tarry/base/random.h"
#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

Vec random_matrix(Index rows, Index cols, std::uint64_t seed) {
  RandomSequence random(seed);
  Vec m(static_cast<std::size_t>(rows * cols));
  for (double& x : m) x = random.gaussian();
  return m;
}

TEST(Svd, OfADiagonalMatrix) {
  const Vec m = {0, 3, 0, -5, 0, 0};  // 2×3
  const Vec values = singular_values(m, 2, 3);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_NEAR(values[0], 5, 1e-14);
  EXPECT_NEAR(values[1], 3, 1e-14);
  const TopPair top = top_singular_pair(m, 2, 3);
  EXPECT_NEAR(top.sigma, 5, 1e-14);
  EXPECT_NEAR(std::fabs(top.u[1]), 1, 1e-14);
  EXPECT_NEAR(top.u[1] * top.w[0], -1, 1e-14);
}

TEST(Svd, TheTopPairIsUnitAndReachesSigma) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {1, 7}, {7, 1}, {5, 9}, {9, 5}, {80, 70}}) {
    const Vec m = random_matrix(rows, cols, 1);
    const TopPair top = top_singular_pair(m, rows, cols);
    EXPECT_NEAR(norm2(top.u), 1, 1e-12);
    EXPECT_NEAR(norm2(top.w), 1, 1e-12);
    double product = 0;
    for (std::size_t i = 0; i < top.u.size(); ++i)
      for (std::size_t j = 0; j < top.w.size(); ++j) product += top.u[i] * m[i * top.w.size() + j] * top.w[j];
    EXPECT_NEAR(product, top.sigma, 1e-11 * top.sigma);
    EXPECT_NEAR(norm2(singular_values(m, rows, cols)), norm2(m), 1e-11 * norm2(m));
  }
}

TEST(Svd, SurvivesExtremeAndZeroMatrices) {
  const Vec m = random_matrix(3, 4, 2);
  const double sigma = top_singular_pair(m, 3, 4).sigma;
  for (double scale : {1e-300, 1e-200, 1e200}) {
    Vec scaled = m;
    for (double& x : scaled) x *= scale;
    const TopPair top = top_singular_pair(scaled, 3, 4);
    EXPECT_NEAR(top.sigma / scale, sigma, 1e-12 * sigma) << scale;
    EXPECT_NEAR(norm2(top.u), 1, 1e-12);
  }
  const TopPair zero = top_singular_pair(Vec(12, 0.0), 3, 4);
  EXPECT_EQ(zero.sigma, 0);
  EXPECT_NEAR(norm2(zero.u), 1, 1e-12);
  EXPECT_NEAR(norm2(zero.w), 1, 1e-12);
}

TEST(Svd, MapsSingularValuesInPlace) {
  const auto halve = [](Vec values) {
    for (double& x : values) x *= 0.5;
    return values;
  };
  const Vec m = random_matrix(4, 3, 3);
  Vec mapped = m;
  map_singular_values(mapped, 4, 3, halve);
  for (std::size_t i = 0; i < m.size(); ++i) EXPECT_NEAR(mapped[i], 0.5 * m[i], 1e-14);
}

#ifdef __x86_64__
// Eigen cuts its products by the size of the CPU's caches unless it is told not to ask: 48 KiB of first cache give
// other bits than 32.
TEST(Svd, OfALargeMatrixDoesNotDependOnTheCaches) {
  std::uint64_t hash = 0;
  for (double x : thin_svd(random_matrix(200, 200, 4), 200, 200).u) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  EXPECT_EQ(hash, 0x748d8524ba9d0cfau);
}
#endif

}  // namespace
}  // namespace tarry
