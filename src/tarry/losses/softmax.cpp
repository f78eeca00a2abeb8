#include "tarry/losses/softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/losses/registry.h"

namespace tarry {

SoftmaxLoss::SoftmaxLoss(std::size_t classes, double first, std::vector<double> weights)
    : first_(first), weights_(std::move(weights)), named_(classes) {
  if (weights_.empty()) weights_.assign(classes, 1.0);
  if (weights_.size() != classes)
    throw Error(Code::kBadSpec,
                fmt::format("softmax: weights must have {} entries ({} came)", classes, weights_.size()));
}

LossEntry SoftmaxLoss::entry() {
  return {
      .name = "softmax",
      .summary = "−ln of the label's probability among several classes; the decision has a block of weights for each",
      .keys = {{"classes", "a whole number of at least 2", ""},
               {"first", "a whole number: the smallest label, the others follow it", "0"},
               {"names", "an array of the classes' names; with fewer than classes, others as they come", "optional"},
               {"weights", "an array of positive numbers, one a class, that multiply its losses", "optional"}},
      .make = [](const spec::Node& node) -> AnyLoss {
        const auto classes = static_cast<std::size_t>(node.count("classes", 2, 1 << 20));
        const double first = node.has("first") ? static_cast<double>(node.at("first").integer()) : 0;
        if (std::fabs(first) > 0x1p53) node.at("first").fail("a whole number of at most 2^53 in size");
        if (const auto names = node.find("names"); names && names->list("an array of names").size() > classes)
          names->fail(fmt::format("an array of at most {} names", classes));
        std::vector<double> weights;
        if (const auto given = node.find("weights")) {
          weights = given->numbers();
          const bool positive = std::all_of(weights.begin(), weights.end(), [](double w) { return w > 0; });
          if (weights.size() != classes || !positive)
            given->fail(fmt::format("an array of {} positive numbers", classes));
        }
        return SoftmaxLoss(classes, first, std::move(weights));
      },
      .examples = {R"({"type": "softmax", "classes": 3})",
                   R"({"type": "softmax", "classes": 2, "first": 1, "weights": [1, 5]})"},
      .measure = Measure::kClasses};
}

double SoftmaxLoss::label(double given) const {
  const double at = given - first_;
  if (at >= 0 && at < static_cast<double>(outputs()) && at == std::floor(at)) return at;
  throw Error(Code::kBadInput, fmt::format("label must be a whole number from {} to {} ({} came)", first_,
                                           first_ + static_cast<double>(outputs()) - 1, given));
}

namespace {

// e^p, the largest p taken out first, and their sum.
double powers(std::span<const double> predictions, std::span<double> each) {
  const double most = *std::max_element(predictions.begin(), predictions.end());
  double sum = 0;
  for (std::size_t c = 0; c < predictions.size(); ++c) sum += each[c] = tarry::exp(predictions[c] - most);
  return sum;
}

}  // namespace

void softmax(std::span<const double> predictions, std::span<double> each) {
  const double sum = powers(predictions, each);
  for (double& p : each) p /= sum;
}

// ln Σ e^p − p_at, the largest p taken out first.
double softmax_loss(std::span<const double> predictions, std::size_t at) {
  const double most = *std::max_element(predictions.begin(), predictions.end());
  double sum = 0;
  for (double p : predictions) sum += tarry::exp(p - most);
  return tarry::log(sum) + most - predictions[at];
}

SoftmaxLoss SoftmaxLoss::naming(std::size_t named) const {
  SoftmaxLoss same = *this;
  same.named_ = std::min(named, outputs());
  return same;
}

double SoftmaxLoss::value(std::span<const double> predictions, double label) const {
  const auto at = static_cast<std::size_t>(label);
  return weights_[at] * softmax_loss(predictions.first(expected(at)), at);
}

void SoftmaxLoss::slopes(std::span<const double> predictions, double label, std::span<double> slopes) const {
  const auto at = static_cast<std::size_t>(label);
  const std::size_t count = expected(at);
  const double sum = powers(predictions.first(count), slopes.first(count));
  for (double& s : slopes.first(count)) s *= weights_[at] / sum;
  std::fill(slopes.begin() + static_cast<std::ptrdiff_t>(count), slopes.end(), 0.0);
  slopes[at] -= weights_[at];
}

std::size_t SoftmaxLoss::classes() const {
  return std::all_of(weights_.begin(), weights_.end(), [](double w) { return w == 1; }) ? outputs() : 0;
}

void SoftmaxLoss::probabilities(std::span<const double> predictions, std::span<double> each) const {
  const std::size_t count = expected(0);
  softmax(predictions.first(count), each.first(count));
  std::fill(each.begin() + static_cast<std::ptrdiff_t>(count), each.end(), 0.0);
}

}  // namespace tarry
