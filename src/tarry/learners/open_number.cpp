#include "tarry/learners/open_number.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"

namespace tarry {
namespace {

// ln of the chance that a standard normal variable is above z (Numerical Recipes, erfcc: to seven digits).
double log_above(double z) {
  const double x = std::fabs(z) / std::sqrt(2.0), t = 1 / (1 + 0.5 * x);
  const double poly =
      -1.26551223 +
      t * (1.00002368 +
           t * (0.37409196 +
                t * (0.09678418 +
                     t * (-0.18628806 +
                          t * (0.27886807 +
                               t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277))))))));
  const double beyond = tarry::log(0.5 * t) - x * x + poly;
  return z >= 0 ? beyond : tarry::log(1 - tarry::exp(beyond));
}

// The mean of one that is above z.
double mean_above(double z) {
  constexpr double kLogRoot = 0.91893853320467274;  // ln √(2π)
  return tarry::exp(-z * z / 2 - kLogRoot - log_above(z));
}

}  // namespace

void OpenNumber::write(std::span<double> numbers) const {
  numbers[0] = shift;
  numbers[1] = floor;
  numbers[2] = spread;
  numbers[3] = share;
}

double OpenNumber::moves(double prediction) const {
  if (!(spread > 0)) return shift;
  return share * spread * mean_above(std::clamp((floor - prediction) / spread, -30.0, 30.0));
}

double OpenNumber::lost(double prediction, double mean) const {
  if (!(spread > 0)) return -2 * shift * (prediction - mean);
  return -2 * share * spread * spread * log_above(std::clamp((floor - prediction) / spread, -30.0, 30.0));
}

}  // namespace tarry
