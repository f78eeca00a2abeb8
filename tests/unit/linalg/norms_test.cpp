#include "tarry/linalg/norms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tarry/linalg/covector.h"

namespace tarry {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Norms, OfAKnownVector) {
  const Vec x = {3, -4, 0};
  EXPECT_EQ(sum(x), -1);
  EXPECT_EQ(max_abs(x), 4);
  EXPECT_EQ(norm1(x), 7);
  EXPECT_EQ(norm2(x), 5);
  EXPECT_EQ(norm(x, 1), 7);
  EXPECT_EQ(norm(x, 2), 5);
  EXPECT_NEAR(norm(x, 3), std::cbrt(91.0), 1e-15 * 5);
  EXPECT_EQ(norm(x, kInfinity), 4);
  EXPECT_EQ(max_abs(Vec()), 0);
  EXPECT_EQ(norm(Vec(3, 0.0), 1.5), 0);
}

TEST(Norms, KeepTheirDigitsAtExtremeScales) {
  for (double scale : {1e-320, 1e-200, 1e-150, 1e-140, 1.0, 1e140, 1e150, 1e300}) {
    const Vec x = {3 * scale, -4 * scale};
    const double tolerance = scale < 1e-300 ? 1e-3 : 1e-14;
    EXPECT_NEAR(norm2(x) / scale, 5, 5 * tolerance) << scale;
    EXPECT_NEAR(norm(x, 3) / scale, std::cbrt(91.0), 5 * tolerance) << scale;
    EXPECT_NEAR(norm(x, 1.01) / scale, std::pow(std::pow(3, 1.01) + std::pow(4, 1.01), 1 / 1.01), 7 * tolerance);
    EXPECT_NEAR(norm1(x) / scale, 7, 7 * tolerance);
  }
  EXPECT_DOUBLE_EQ(norm2(Vec{1e-200, 1}), 1);
  EXPECT_DOUBLE_EQ(norm2(Vec{1e200, 1}), 1e200);
}

TEST(Norms, SumsAreCompensated) {
  EXPECT_EQ(sum(Vec{1, 1e100, 1, -1e100}), 2);
  const Vec tenths(1000000, 0.1);
  EXPECT_NEAR(sum(tenths), 100000, 1e-10);
  EXPECT_NEAR(norm1(tenths), 100000, 1e-10);
}

TEST(Norms, OfWhatIsNotFiniteAreNeverSmall) {
  for (double bad : {kNaN, kInfinity, -kInfinity}) {
    const Vec x = {1, bad, 2};
    EXPECT_FALSE(all_finite(x));
    for (double p : {1.0, 1.5, 2.0, 3.0}) EXPECT_FALSE(norm(x, p) <= 1e300) << p << " of " << bad;
    EXPECT_FALSE(max_abs(x) <= 1e300);
  }
  EXPECT_TRUE(all_finite(Vec{0, -1e308}));
}

TEST(Conjugate, IsTheDualExponent) {
  EXPECT_EQ(conjugate(2), 2);
  EXPECT_EQ(conjugate(1), kInfinity);
  EXPECT_DOUBLE_EQ(conjugate(1.5), 3);
}

TEST(LpMinimiser, LiesOnTheSphereAndReachesTheDualNorm) {
  const Vec c = {1, -2, 0, 0.5};
  for (double p : {1.0, 1.0001, 1.05, 1.5, 2.0, 3.0, 50.0, 1e6}) {
    Vec v(4);
    lp_minimiser(c, p, 1.5, v);
    double value = 0;
    for (std::size_t i = 0; i < 4; ++i) value += c[i] * v[i];
    EXPECT_NEAR(norm(v, p), 1.5, 1e-14) << p;
    EXPECT_NEAR(value, -1.5 * norm(c, conjugate(p)), 1e-9) << p;
    EXPECT_EQ(v[2], 0);
  }
}

TEST(LpMinimiser, OfZeroIsZeroAndTiesGoToTheFirst) {
  Vec v(3, 7.0);
  for (double p : {1.0, 1.5, 2.0}) {
    lp_minimiser(Vec(3, 0.0), p, 1, v);
    EXPECT_EQ(v, Vec(3, 0.0));
  }
  lp_minimiser(Vec{1, -2, 2}, 1, 1, v);
  EXPECT_EQ(v, (Vec{0, 1, 0}));
}

}  // namespace
}  // namespace tarry
