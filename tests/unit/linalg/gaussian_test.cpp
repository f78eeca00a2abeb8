#include "tarry/linalg/gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/linalg/parallel.h"
#include "unit/every_target.h"

namespace tarry {
namespace {

std::vector<float> drawn(std::size_t count, std::uint64_t seed = 1, std::uint64_t stream = 0) {
  std::vector<float> z(count);
  fill_gaussian(seed, stream, z);
  return z;
}

// A chi-square value is within five deviations of its mean.
void expect_chi_square(double value, double degrees) { EXPECT_NEAR(value, degrees, 5 * std::sqrt(2 * degrees)); }

std::size_t bin_of(float z, std::size_t bins) {  // equally likely bins
  const double below = 0.5 * std::erfc(-static_cast<double>(z) / std::numbers::sqrt2);
  return std::min(bins - 1, static_cast<std::size_t>(below * static_cast<double>(bins)));
}

double chi_square(const std::vector<double>& counts, double total) {
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(FillGaussian, HasTheMomentsOfAGaussian) {
  constexpr std::size_t kCount = 1 << 20;
  double moment[7] = {};
  for (float z : drawn(kCount)) {
    ASSERT_TRUE(std::isfinite(z));
    for (int k = 1; k <= 6; ++k) moment[k] += std::pow(static_cast<double>(z), k) / kCount;
  }
  const double error = 5 / std::sqrt(static_cast<double>(kCount));
  EXPECT_NEAR(moment[1], 0, error);
  EXPECT_NEAR(moment[2], 1, error * std::sqrt(2.0));
  EXPECT_NEAR(moment[3], 0, error * std::sqrt(15.0));
  EXPECT_NEAR(moment[4], 3, error * std::sqrt(96.0));
  EXPECT_NEAR(moment[5], 0, error * std::sqrt(945.0));
  EXPECT_NEAR(moment[6], 15, error * std::sqrt(10170.0));
}

TEST(FillGaussian, HasTheTailsOfAGaussian) {
  constexpr std::size_t kCount = 1 << 21;
  const std::vector<float> z = drawn(kCount, 2);
  for (const float beyond : {1.0f, 2.0f, 3.0f, 3.5f, 4.0f, 4.5f})
    for (const float sign : {1.0f, -1.0f}) {
      double count = 0;
      for (float x : z) count += sign * x > beyond ? 1 : 0;
      const double expected = kCount * 0.5 * std::erfc(static_cast<double>(beyond) / std::numbers::sqrt2);
      EXPECT_NEAR(count, expected, 5 * std::sqrt(expected) + 1) << sign * beyond;
    }
}

TEST(FillGaussian, FillsEquallyLikelyBinsEqually) {
  constexpr std::size_t kCount = 1 << 20, kBins = 256;
  for (std::uint64_t seed : {3u, 4u, 5u}) {
    std::vector<double> counts(kBins, 0);
    for (float z : drawn(kCount, seed)) ++counts[bin_of(z, kBins)];
    expect_chi_square(chi_square(counts, kCount), kBins - 1);
  }
}

// Pairs of numbers, in a grid of equally likely cells.
void expect_independent(const std::vector<float>& x, const std::vector<float>& y, std::size_t lag) {
  constexpr std::size_t kBins = 12;
  std::vector<double> counts(kBins * kBins, 0);
  const std::size_t pairs = x.size() - lag;
  for (std::size_t i = 0; i < pairs; ++i) ++counts[bin_of(x[i], kBins) * kBins + bin_of(y[i + lag], kBins)];
  expect_chi_square(chi_square(counts, static_cast<double>(pairs)), kBins * kBins - 1);
}

TEST(FillGaussian, StreamsAndSeedsAreIndependent) {
  constexpr std::size_t kCount = 1 << 18;
  const std::vector<float> z = drawn(kCount, 6, 0);
  for (std::uint64_t stream : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
    expect_independent(z, drawn(kCount, 6, stream), 0);
  for (std::uint64_t seed : {std::uint64_t{7}, std::uint64_t{6} + (std::uint64_t{1} << 32)})
    expect_independent(z, drawn(kCount, seed, 0), 0);
}

TEST(FillGaussian, PlacesAreIndependent) {
  const std::vector<float> z = drawn(1 << 18, 8);
  for (std::size_t lag : {1u, 2u, 8u, 15u, 16u, 17u, 32u, 33u}) {  // 16 apart: the two of one Box-Muller pair
    SCOPED_TRACE(lag);
    expect_independent(z, z, lag);
  }
}

// In double precision and from Philox's bits, pair by pair.
TEST(FillGaussian, IsBoxAndMullerOnPhiloxToSinglePrecision) {
  constexpr std::size_t kGroups = 2000;
  const std::vector<float> z = drawn(32 * kGroups, 9, 77);
  for (std::size_t pair = 0; pair < 16 * kGroups; ++pair) {
    const std::uint64_t block = pair / 2;
    const auto bits = philox({static_cast<std::uint32_t>(block), 0, 77, 0}, {9, 0});
    const std::uint32_t k = bits[pair % 2], a = bits[2 + pair % 2];
    const double u = (static_cast<double>(k >> 1) + 0.5) * 0x1p-31;
    const double within = (static_cast<double>(static_cast<std::int32_t>(a) >> 3) + 0.5) * 0x1p-29;
    const double theta = (within + static_cast<double>(a & 3)) * std::numbers::pi / 2;
    const double radius = std::sqrt(-2 * std::log(u));
    const std::size_t first = pair / 16 * 32 + pair % 16;
    ASSERT_NEAR(z[first], radius * std::cos(theta), 2e-6) << pair;
    ASSERT_NEAR(z[first + 16], radius * std::sin(theta), 2e-6) << pair;
  }
}

TEST(FillGaussian, ReturnsTheSumOfSquares) {
  for (std::size_t count : {0u, 1u, 31u, 32u, 33u, 1000u, 16384u, 16385u, 100001u}) {
    std::vector<float> z(count);
    const double sum = fill_gaussian(10, 3, z);
    double squares = 0;
    for (float x : z) squares += static_cast<double>(x) * static_cast<double>(x);
    EXPECT_NEAR(sum, squares, 1e-6 * (1 + squares)) << count;
  }
}

TEST(FillGaussian, AShortFillIsTheBeginningOfALongOne) {
  const std::vector<float> whole = drawn(40000, 11, 5);
  for (std::size_t count : {1u, 5u, 16u, 17u, 31u, 32u, 33u, 63u, 1000u, 16383u, 16384u, 16385u, 16401u, 32769u})
    EXPECT_EQ(drawn(count, 11, 5), std::vector<float>(whole.begin(), whole.begin() + static_cast<long>(count)))
        << count;
}

TEST(FillGaussian, GivesTheSameBitsOnAnyNumberOfThreads) {
  const auto with_threads = [](int threads) {
    const ThreadLimit limit(threads);
    std::vector<float> z(200003);
    const double sum = fill_gaussian(12, 1, z);
    return std::pair{z, sum};
  };
  EXPECT_EQ(with_threads(1), with_threads(2));
}

TEST(FillGaussian, GivesTheSameBitsOnEveryInstructionSet) {
  std::vector<float> expected(70001);
  const double sum = fill_gaussian(13, 2, expected);
  int targets = 0;
  on_every_target([&](const char* name) {
    std::vector<float> z(70001);
    EXPECT_EQ(fill_gaussian(13, 2, z), sum) << name;
    EXPECT_TRUE(z == expected) << name;
    ++targets;
  });
  EXPECT_GE(targets, 1);
}

}  // namespace
}  // namespace tarry
