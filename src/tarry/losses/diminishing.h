// What an effort p does not bring in, with diminishing returns: −y ln(1 + p). Spending on an advertising channel, p in
// units of what saturates it, is one. Efforts below 0 bring p y, so that the loss is convex and smooth everywhere.
#pragma once

#include "tarry/losses/loss.h"

namespace tarry {

struct LossEntry;

struct DiminishingLoss {
  double value(double p, double label) const;
  double slope(double p, double label) const { return -label / (p > 0 ? 1 + p : 1); }
  double label(double given) const;  // y ≥ 0
  static LossEntry entry();
};

static_assert(Loss<DiminishingLoss>);

}  // namespace tarry
