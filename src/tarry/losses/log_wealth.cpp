#include "tarry/losses/log_wealth.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/losses/registry.h"

namespace tarry {
namespace {

double positive(double p) {
  if (!(p > 0))
    throw Error(Code::kBadInput,
                fmt::format("log_wealth: the portfolio's growth factor must be positive ({} came)", p));
  return p;
}

}  // namespace

double LogWealthLoss::value(double p, double) const { return -tarry::log(positive(p)); }
double LogWealthLoss::slope(double p, double) const { return -1 / positive(p); }

LossEntry LogWealthLoss::entry() {
  return {.name = "log_wealth",
          .summary = "−ln p, p = ⟨price relatives, x⟩; no label",
          .keys = {},
          .make = [](const spec::Node&) -> AnyLoss { return LogWealthLoss{}; },
          .examples = {R"({"type": "log_wealth"})"},
          .measure = Measure::kWealth,
          .verify = {.with_label = true}};
}

}  // namespace tarry
