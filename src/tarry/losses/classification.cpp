#include "tarry/losses/classification.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/linalg/elementary_kernels.h"
#include "tarry/losses/registry.h"

namespace tarry {
namespace {

const spec::Key kPositiveWeight{"positive_weight", "a positive number that multiplies the losses of label +1", "1"};

}  // namespace

double sign_label(double label) {
  if (label == 1) return 1;
  if (label == -1 || label == 0) return -1;
  throw Error(Code::kBadInput, fmt::format("label must be -1 or 1, or 0 or 1 ({} came)", label));
}

// ln(1 + e^{−m}) without overflow: for a negative margin −m + ln(1 + e^m).
double LogisticLoss::shown(double p) const {
  const double e = tarry::exp(-std::fabs(p));
  return p >= 0 ? 1 / (1 + e) : e / (1 + e);
}

double LogisticLoss::value(double p, double y) const {
  const double m = y * p;
  return weight(y) * (m > 0 ? tarry::log1p(tarry::exp(-m)) : tarry::log1p(tarry::exp(m)) - m);
}

double LogisticLoss::slope(double p, double y) const {
  const double m = y * p;
  if (m > 0) {
    const double e = tarry::exp(-m);
    return -y * weight(y) * e / (1 + e);
  }
  return -y * weight(y) / (1 + tarry::exp(m));
}

void LogisticLoss::value_each(std::span<const double> p, double y, std::span<double> values) const {
  kernels::logistic_values(p, y, weight(y), values);
}

void LogisticLoss::slope_each(std::span<const double> p, double y, std::span<double> slopes) const {
  kernels::logistic_slopes(p, y, weight(y), slopes);
}

void LogisticLoss::implicit_each(const ImplicitSteps& steps, double y, std::span<double> slopes) const {
  kernels::logistic_implicit(steps.predictions, steps.reach, y, weight(y), steps.little, slopes);
}

LossEntry LogisticLoss::entry() {
  return {
      .name = "logistic",
      .summary = "ln(1 + e^(−label·p)), labels −1/+1 or 0/1",
      .keys = {kPositiveWeight},
      .make = [](const spec::Node& node) -> AnyLoss { return LogisticLoss{node.positive_or("positive_weight", 1)}; },
      .examples = {R"({"type": "logistic"})", R"({"type": "logistic", "positive_weight": 3})"},
      .measure = Measure::kMargin,
      .verify = {.at_play = true, .with_label = true}};
}

LossEntry HingeLoss::entry() {
  return {.name = "hinge",
          .summary = "max(0, 1 − label·p), labels −1/+1 or 0/1",
          .keys = {kPositiveWeight},
          .make = [](const spec::Node& node) -> AnyLoss { return HingeLoss{node.positive_or("positive_weight", 1)}; },
          .examples = {R"({"type": "hinge"})"},
          .measure = Measure::kMargin};
}

}  // namespace tarry
