#include "tarry/theory/step_size.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/base/elementary.h"
#include "tarry/theory/bounds.h"

namespace tarry::theory {

double ofw_eta_general(double diameter, double gradient_bound, double horizon) {
  return diameter / (gradient_bound * tarry::pow(horizon, 0.75));
}

double ofw_eta_batched(double diameter, double gradient_bound, double horizon, double batch) {
  return ofw_eta_general(diameter, gradient_bound, horizon) / tarry::pow(batch, 0.25);
}

double ofw_eta_strongly_convex_set(double diameter, double gradient_bound, double horizon) {
  return diameter / (2 * gradient_bound * tarry::pow(horizon, 2.0 / 3));
}

double ofw_eta_delay_aware(double diameter, double gradient_bound, double horizon, double mean_delay) {
  return std::min(ofw_eta_general(diameter, gradient_bound, horizon),
                  diameter / (gradient_bound * std::sqrt(mean_delay * horizon)));
}

double ofw_eta_epoch(double diameter, double gradient_bound, double budget) {
  return diameter / (gradient_bound * std::sqrt(budget));
}

double ospf_block(double horizon) { return std::max(1.0, std::round(tarry::cbrt(horizon))); }

double ospf_delta_paper(double gradient_bound, double dimension, double horizon, double block) {
  return 2 / (gradient_bound * std::sqrt(dimension * horizon * block));
}

double ospf_delta_retuned(double gradient_bound, double dimension, double horizon, double block) {
  return std::sqrt(std::numbers::sqrt2 /
                   (ball_volume_ratio(dimension) * gradient_bound * gradient_bound * horizon * block));
}

double ospf_delta_linear(double gradient_bound, double dimension, double horizon, double mean_delay) {
  return 1 / (gradient_bound * std::sqrt(ball_volume_ratio(dimension) * (2 * mean_delay - 1) * horizon));
}

double ospf_delta_anytime(double gradient_bound, double dimension, double weighted_outstanding) {
  return 1 / (2 * gradient_bound * std::sqrt(ball_volume_ratio(dimension) * weighted_outstanding));
}

double ogd_eta(double diameter, double gradient_bound, double horizon, double mean_delay) {
  return diameter / (gradient_bound * std::sqrt(horizon * (2 * mean_delay - 1)));
}

}  // namespace tarry::theory
