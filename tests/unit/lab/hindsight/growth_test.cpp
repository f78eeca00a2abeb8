#include "tarry/lab/hindsight/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tarry::lab {
namespace {

TEST(FittedExponent, IsThePowerOfAPower) {
  std::vector<double> rounds, values;
  for (double t = 1; t < 1e6; t *= 3) {
    rounds.push_back(t);
    values.push_back(7 * std::pow(t, 0.66));
  }
  EXPECT_NEAR(*fitted_exponent(rounds, values), 0.66, 1e-12);
  values[3] = -5;  // no logarithm, no part of the fit
  values[5] = std::nan("");
  EXPECT_NEAR(*fitted_exponent(rounds, values), 0.66, 1e-12);
}

TEST(FittedExponent, NeedsThreePoints) {
  const std::vector<double> rounds = {1, 10, 100, 1000};
  EXPECT_FALSE(fitted_exponent(rounds, std::vector<double>{1, 2, -3, 0}));
  EXPECT_TRUE(fitted_exponent(rounds, std::vector<double>{1, 2, -3, 4}));
  EXPECT_FALSE(fitted_exponent(std::vector<double>{5, 5, 5}, std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace tarry::lab
