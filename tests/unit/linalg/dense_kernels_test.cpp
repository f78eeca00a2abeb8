#include "tarry/linalg/dense_kernels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/linalg/parallel.h"

namespace tarry::kernels {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 100, 16383, 16384, 16385, 70001};

Vec random_vector(std::size_t n, std::uint64_t seed) {
  const Random random(seed);
  Vec x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 2 * random.uniform(i) - 1;
  return x;
}

long double naive_dot(const Vec& x, const Vec& y) {
  long double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<long double>(x[i]) * y[i];
  return sum;
}

TEST(Kernels, DotIsTheSumOfProducts) {
  for (std::size_t n : kSizes) {
    const Vec x = random_vector(n, 1), y = random_vector(n, 2);
    EXPECT_NEAR(dot(x, y), static_cast<double>(naive_dot(x, y)), 1e-13 * static_cast<double>(n));
    EXPECT_NEAR(sum_of_squares(x), static_cast<double>(naive_dot(x, x)), 1e-13 * static_cast<double>(n));
  }
  EXPECT_EQ(dot({}, {}), 0);
}

TEST(Kernels, ExtremeIsTheFirstOfTheLargest) {
  for (std::size_t n : kSizes)
    for (Need need : {Need::kMaxAbs, Need::kMin})
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        Vec c = random_vector(n, 10 + seed);
        if (seed > 1)
          for (double& x : c) x = std::round(2 * x);  // −2 .. 2: many ties, across lanes and chunks
        std::size_t best = 0;
        for (std::size_t i = 1; i < n; ++i) {
          const bool better = need == Need::kMin ? c[i] < c[best] : std::fabs(c[i]) > std::fabs(c[best]);
          if (better) best = i;
        }
        const Extreme found = extreme(c, need);
        ASSERT_EQ(found.at, static_cast<Index>(best)) << "n " << n << " seed " << seed;
        EXPECT_EQ(found.value, c[best]);
      }
}

TEST(Kernels, SweepUpdatesPAndSumsCAndFindsItsExtreme) {
  for (std::size_t n : kSizes)
    for (Need need : {Need::kMaxAbs, Need::kMin, Need::kDense})
      for (bool has_gradient : {true, false}) {
        const Vec z = random_vector(n, 3), g = random_vector(n, 4), p0 = random_vector(n, 5);
        Vec p = p0, c(need == Need::kDense ? n : 0);
        const double a = 0.7, gamma_s = -0.3, b_s = 1.9;
        const SweepSums sums = sweep({.p = p,
                                      .z = z,
                                      .g = has_gradient ? std::span<const double>(g) : std::span<const double>(),
                                      .c = c,
                                      .a = a,
                                      .gamma_s = gamma_s,
                                      .b_s = b_s,
                                      .need = need});
        Vec expected_c(n);
        std::size_t best = 0;
        for (std::size_t i = 0; i < n; ++i) {
          double expected_p = p0[i];
          if (has_gradient) expected_p += a * g[i];
          expected_p += gamma_s * z[i];
          ASSERT_EQ(p[i], expected_p) << i;
          expected_c[i] = expected_p + b_s * z[i];
          ASSERT_TRUE(c.empty() || c[i] == expected_c[i]) << i;
          const bool better = need == Need::kMin ? expected_c[i] < expected_c[best]
                                                 : std::fabs(expected_c[i]) > std::fabs(expected_c[best]);
          if (better) best = i;
        }
        EXPECT_NEAR(sums.cz, static_cast<double>(naive_dot(expected_c, z)), 1e-12 * static_cast<double>(n));
        EXPECT_NEAR(sums.zz, static_cast<double>(naive_dot(z, z)), 1e-12 * static_cast<double>(n));
        if (need == Need::kDense) continue;
        EXPECT_EQ(sums.extreme.at, static_cast<Index>(best));
        EXPECT_EQ(sums.extreme.value, expected_c[best]);
      }
}

TEST(Kernels, SegmentMeasuresTheWayToAPoint) {
  for (std::size_t n : kSizes) {
    const Vec p = random_vector(n, 6), z = random_vector(n, 7), v = random_vector(n, 8);
    const double s = 0.8, b = 1.5;
    const SegmentSums sums = segment({p.data(), z.data(), v.data(), s, b}, n);
    long double gap = 0, width = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const long double y = s * z[i], away = y - v[i];
      gap += (p[i] + b * y) * away;
      width += away * away;
    }
    EXPECT_NEAR(sums.gap, static_cast<double>(gap), 1e-12 * static_cast<double>(n));
    EXPECT_NEAR(sums.width, static_cast<double>(width), 1e-12 * static_cast<double>(n));
  }
}

TEST(Kernels, BlendMixesInPlace) {
  for (std::size_t n : kSizes) {
    const Vec z0 = random_vector(n, 9), v = random_vector(n, 10);
    Vec z = z0;
    blend(z, 0.25, v, 3);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(z[i], 0.25 * z0[i] + 3 * v[i]);
  }
}

TEST(Kernels, GiveTheSameBitsOnAnyNumberOfThreads) {
  const Vec x = random_vector(300001, 11), y = random_vector(300001, 12);
  const auto with = [&](int threads) {
    const ThreadLimit limit(threads);
    Vec p = x;
    const SweepSums sums =
        sweep({.p = p, .z = y, .g = x, .c = {}, .a = 0.1, .gamma_s = 0.2, .b_s = 0.3, .need = Need::kMaxAbs});
    return std::tuple(dot(x, y), sums.cz, sums.zz, sums.extreme.at, extreme(x, Need::kMin).at, p);
  };
  EXPECT_TRUE(with(1) == with(2));
  EXPECT_TRUE(with(1) == with(5));
}

}  // namespace
}  // namespace tarry::kernels
