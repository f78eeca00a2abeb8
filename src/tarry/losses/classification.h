// Losses of a label −1 or +1 (0 counts as −1) and a margin p.
#pragma once

#include "tarry/losses/loss.h"

namespace tarry {

struct LossEntry;

double sign_label(double label);  // −1 or +1; throws Error for any other label

struct LogisticLoss {  // ln(1 + e^{−yp})
  double value(double p, double y) const;
  double slope(double p, double y) const;
  double label(double y) const { return sign_label(y); }
  static LossEntry entry();
};

struct HingeLoss {  // max(0, 1 − yp)
  double value(double p, double y) const { return y * p < 1 ? 1 - y * p : 0; }
  double slope(double p, double y) const { return y * p < 1 ? -y : 0; }
  double label(double y) const { return sign_label(y); }
  static LossEntry entry();
};

static_assert(Loss<LogisticLoss> && Loss<HingeLoss>);

}  // namespace tarry
