#include "tarry/theory/tracked.h"

#include <algorithm>
#include <limits>

#include "tarry/base/elementary.h"

namespace tarry::theory {

double tracked_square(double kept, double rounds, double delay) {
  constexpr double kShare = 10.2;  // at least (1 + 1/e)e²
  const double logarithm = 1 + tarry::log(std::max(1.0, rounds));
  if (kept < std::max(2.0, logarithm)) return std::numeric_limits<double>::infinity();
  return 1 + kShare * logarithm * delay / kept;
}

double tracked_ogd(double diameter, double eta, double gradient_bound, double square, double sum_outstanding) {
  return diameter * diameter / (2 * eta) + eta / 2 * gradient_bound * gradient_bound * (square + 2 * sum_outstanding);
}

}  // namespace tarry::theory
