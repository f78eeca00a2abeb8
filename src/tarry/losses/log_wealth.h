// The loss of a portfolio: −ln of the factor by which wealth grew, p = ⟨price relatives, x⟩. It has no label.
#pragma once

#include "tarry/losses/loss.h"

namespace tarry {

struct LossEntry;

struct LogWealthLoss {
  double value(double p, double label) const;  // throws Error when p is not positive: the wealth is gone
  double slope(double p, double label) const;
  double label(double) const { return 0; }
  bool defined(double p) const { return p > 0; }
  static LossEntry entry();
};

static_assert(Loss<LogWealthLoss>);

}  // namespace tarry
