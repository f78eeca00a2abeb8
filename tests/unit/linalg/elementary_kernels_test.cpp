#include "tarry/linalg/elementary_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/losses/classification.h"
#include "unit/every_target.h"

namespace tarry::kernels {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// Of ordinary size, at the edges of every branch, and what is no number.
std::vector<double> numbers(double low, double high, std::size_t count) {
  std::vector<double> x = {0,       -0.0,  1,      -1,     0x1p-8,    -0x1p-8,   0x1.fffffffffffffp-9,
                           0x1p-52, kTiny, 0.375,  669.99, 670,       -670,      -700,
                           -745.2,  710,   -746.1, -1e300, kInfinity, -kInfinity};
  RandomSequence random(3);
  while (x.size() < count) x.push_back(random.uniform(low, high));
  x.push_back(std::numeric_limits<double>::quiet_NaN());
  return x;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

template <class Each, class One>
void expect_same(const std::vector<double>& x, Each each, One one) {
  on_every_target([&](const char* name) {
    for (std::size_t at = 0, length = 1; at < x.size(); at += length, length = length % 19 + 1) {
      std::vector<double> part(x.begin() + static_cast<std::ptrdiff_t>(at),
                               x.begin() + static_cast<std::ptrdiff_t>(std::min(x.size(), at + length)));
      each(part);
      for (std::size_t i = 0; i < part.size(); ++i)
        ASSERT_TRUE(same_bits(part[i], one(x[at + i]))) << name << ", " << x[at + i] << ": " << part[i];
    }
  });
}

TEST(ElementaryKernels, ExponentialsHaveTheBitsOfOneByOne) {
  expect_same(numbers(-40, 0, 20'000), exp_each, tarry::exp);
  expect_same(numbers(-680, 680, 5'000), exp_each, tarry::exp);
}

TEST(ElementaryKernels, LogarithmsHaveTheBitsOfOneByOne) {
  expect_same(numbers(0, 1, 20'000), log1p_each, tarry::log1p);
  expect_same(numbers(0, 0x1p-6, 5'000), log1p_each, tarry::log1p);
  expect_same(numbers(-1, 3, 2'000), log1p_each, tarry::log1p);
}

TEST(ElementaryKernels, PowersHaveTheBitsOfOneByOne) {
  for (const double y : {3.1588830833596715, 0.5, 2.0, 40.0, 1e-70, 0.0, -1.5})
    expect_same(
        numbers(0, 1, 4'000), [&](std::vector<double>& x) { pow_each(x, y); },
        [&](double x) { return tarry::pow(x, y); });
}

TEST(ElementaryKernels, LogisticLossesHaveTheBitsOfOneByOne) {
  for (const double weight : {1.0, 3.0})
    for (const double y : {1.0, -1.0}) {
      const LogisticLoss loss{weight};
      const double counts = y > 0 ? weight : 1;
      expect_same(
          numbers(-30, 30, 4'000), [&](std::vector<double>& x) { logistic_slopes(x, y, counts, x); },
          [&](double p) { return loss.slope(p, y); });
      expect_same(
          numbers(-30, 30, 4'000), [&](std::vector<double>& x) { logistic_values(x, y, counts, x); },
          [&](double p) { return loss.value(p, y); });
    }
}

}  // namespace
}  // namespace tarry::kernels
