#include "tarry/learners/learner.h"

namespace tarry {

double KnownLoss::value(std::span<const double> predictions) const {
  if (outputs() > 1) return loss.value(predictions, label);
  return loss.value(at_play(predictions[0]), label);
}

void KnownLoss::slopes_under(const Link& link, std::span<const double> predictions, std::span<double> slopes) const {
  if (outputs() > 1) return loss.slopes(predictions, label, slopes);
  slopes[0] = link.scale * loss.slope(link(predictions[0]), label);
}

Covector KnownLoss::gradient(std::span<const double> slopes, Vec& values) const {
  const Covector product = features.times(1, values);
  const std::size_t length = values.size() / outputs();
  for (std::size_t j = 0; j < values.size(); ++j) values[j] *= slopes[j / length];
  return product;
}

std::optional<double> Feedback::loss_of_play() const {
  if (known != nullptr) return predictions.empty() ? std::nullopt : std::optional(known->value(predictions));
  if (slope && !predictions.empty()) return *slope * predictions[0];
  return decision.empty() ? std::nullopt : std::optional(gradient.dot(decision));
}

}  // namespace tarry
