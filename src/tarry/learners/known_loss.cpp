#include <algorithm>

#include "tarry/base/contract.h"
#include "tarry/learners/learner.h"

namespace tarry {

double KnownLoss::value(std::span<const double> predictions) const {
  if (outputs() > 1) return loss.value(predictions, label);
  return loss.value(at_play(predictions[0]), label);
}

void KnownLoss::value_each(std::span<const double> predictions, std::span<double> values) const {
  if (at_play == Link{}) return loss.value_each(predictions, label, values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = at_play(predictions[i]);
  loss.value_each(values, label, values);
}

void KnownLoss::fresh_slope_each(std::span<const double> predictions, std::span<double> slopes) const {
  ensure(target.empty(), "a label is known where several slopes are asked for at once");
  if (now == Link{}) return loss.slope_each(predictions, label, slopes);
  for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = now(predictions[i]);
  loss.slope_each(slopes, label, slopes);
  for (double& slope : slopes) slope *= now.scale;
}

void KnownLoss::slopes_under(const Link& link, std::span<const double> predictions, std::span<double> slopes) const {
  if (!target.empty()) return mean_slopes(predictions, slopes);
  if (outputs() > 1) return loss.slopes(predictions, label, slopes);
  slopes[0] = link.scale * loss.slope(link(predictions[0]), label);
}

// Only losses of classes have targets, and those have no links.
void KnownLoss::mean_slopes(std::span<const double> predictions, std::span<double> slopes) const {
  std::fill(slopes.begin(), slopes.end(), 0.0);
  Vec one(slopes.size());
  for (std::size_t c = 0; c < target.size(); ++c) {
    if (target[c] == 0) continue;
    loss.slopes(predictions, loss.class_label(c), one);
    for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] += target[c] * one[k];
  }
}

Covector KnownLoss::gradient(std::span<const double> slopes, Vec& values) const {
  const Covector product = features.times(1, values);
  const std::size_t length = values.size() / outputs();
  for (std::size_t j = 0; j < values.size(); ++j) values[j] *= slopes[j / length];
  return product;
}

// Both are multiples of the same features, output by output.
Covector Revision::difference(Vec& values) const {
  const Covector product = after.gradient.times(1, values);
  const auto old = before.gradient.values();
  for (std::size_t j = 0; j < values.size(); ++j) values[j] -= old[j];
  return product;
}

std::optional<double> Feedback::loss_of_play() const {
  if (known != nullptr) return predictions.empty() ? std::nullopt : std::optional(known->value(predictions));
  if (slope && !predictions.empty()) return *slope * predictions[0];
  return decision.empty() ? std::nullopt : std::optional(gradient.dot(decision));
}

}  // namespace tarry
