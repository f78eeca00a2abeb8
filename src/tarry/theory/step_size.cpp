#include "tarry/theory/step_size.h"

#include <algorithm>
#include <cmath>

namespace tarry::theory {

double ofw_eta_general(double diameter, double gradient_bound, double horizon) {
  return diameter / (gradient_bound * std::pow(horizon, 0.75));
}

double ofw_eta_strongly_convex_set(double diameter, double gradient_bound, double horizon) {
  return diameter / (2 * gradient_bound * std::pow(horizon, 2.0 / 3));
}

double ofw_eta_delay_aware(double diameter, double gradient_bound, double horizon, double mean_delay) {
  return std::min(ofw_eta_general(diameter, gradient_bound, horizon),
                  diameter / (gradient_bound * std::sqrt(mean_delay * horizon)));
}

}  // namespace tarry::theory
