#include "tarry/losses/regression.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/losses/registry.h"

namespace tarry {

double finite_label(double label) {
  if (!(std::fabs(label) <= spec::kLargest))
    throw Error(Code::kBadInput, fmt::format("label must be finite and at most 1e100 in size ({} came)", label));
  return label;
}

LossEntry LinearLoss::entry() {
  return {.name = "linear",
          .summary = "label · p",
          .keys = {},
          .make = [](const spec::Node&) -> AnyLoss { return LinearLoss{}; },
          .examples = {R"({"type": "linear"})"},
          .measure = Measure::kNone};
}

LossEntry SquaredLoss::entry() {
  return {.name = "squared",
          .summary = "(p − label)²",
          .keys = {},
          .make = [](const spec::Node&) -> AnyLoss { return SquaredLoss{}; },
          .examples = {R"({"type": "squared"})"},
          .quadratic = true,
          .verify = {.at_play = true, .with_label = true}};
}

LossEntry AbsoluteLoss::entry() {
  return {.name = "absolute",
          .summary = "|p − label|",
          .keys = {},
          .make = [](const spec::Node&) -> AnyLoss { return AbsoluteLoss{}; },
          .examples = {R"({"type": "absolute"})"}};
}

HuberLoss::HuberLoss(double threshold) : threshold_(threshold) {
  if (!(threshold > 0 && threshold <= spec::kLargest))
    throw Error(Code::kBadSpec, fmt::format("huber: threshold must be positive (threshold = {})", threshold));
}

double HuberLoss::value(double p, double y) const {
  const double away = std::fabs(p - y);
  return away <= threshold_ ? away * away / 2 : threshold_ * (away - threshold_ / 2);
}

double HuberLoss::slope(double p, double y) const { return std::clamp(p - y, -threshold_, threshold_); }

LossEntry HuberLoss::entry() {
  return {.name = "huber",
          .summary = "(p − label)²/2 within the threshold, linear beyond",
          .keys = {{"threshold", "a positive number", "1"}},
          .make = [](const spec::Node& node) -> AnyLoss { return HuberLoss(node.number_or("threshold", 1)); },
          .examples = {R"({"type": "huber", "threshold": 1.5})"}};
}

}  // namespace tarry
