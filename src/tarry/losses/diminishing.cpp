#include "tarry/losses/diminishing.h"

#include <fmt/format.h>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/losses/registry.h"

namespace tarry {

double DiminishingLoss::value(double p, double label) const { return -label * (p > 0 ? tarry::log1p(p) : p); }

double DiminishingLoss::label(double given) const {
  if (!(given >= 0 && given <= spec::kLargest))
    throw Error(Code::kBadInput, fmt::format("label must be from 0 to 1e100 ({} came)", given));
  return given;
}

LossEntry DiminishingLoss::entry() {
  return {.name = "diminishing",
          .summary = "−label · ln(1 + p), of an effort p whose returns diminish; −label · p below 0",
          .keys = {},
          .make = [](const spec::Node&) -> AnyLoss { return DiminishingLoss{}; },
          .examples = {R"({"type": "diminishing"})"},
          .measure = Measure::kGain};
}

}  // namespace tarry
