// Losses of a real-valued label y and a prediction p.
#pragma once

#include <cmath>

#include "tarry/losses/loss.h"

namespace tarry {

struct LossEntry;

double finite_label(double label);  // throws Error for NaN, infinities and numbers beyond 1e100

struct LinearLoss {  // y p: the label is the slope
  static constexpr bool kLinear = true;
  double value(double p, double y) const { return y * p; }
  double slope(double, double y) const { return y; }
  double label(double y) const { return finite_label(y); }
  static LossEntry entry();
};

struct SquaredLoss {  // (p − y)²
  static constexpr bool kOfTheError = true;
  double value(double p, double y) const { return (p - y) * (p - y); }
  double slope(double p, double y) const { return 2 * (p - y); }
  double label(double y) const { return finite_label(y); }
  static LossEntry entry();
};

struct AbsoluteLoss {  // |p − y|
  static constexpr bool kOfTheError = true;
  double value(double p, double y) const { return std::fabs(p - y); }
  double slope(double p, double y) const { return p > y ? 1 : p < y ? -1 : 0; }
  double label(double y) const { return finite_label(y); }
  static LossEntry entry();
};

class HuberLoss {  // (p − y)²/2 up to the threshold, then linear
 public:
  static constexpr bool kOfTheError = true;
  explicit HuberLoss(double threshold);
  double value(double p, double y) const;
  double slope(double p, double y) const;
  double label(double y) const { return finite_label(y); }
  static LossEntry entry();

 private:
  double threshold_;
};

static_assert(Loss<LinearLoss> && Loss<SquaredLoss> && Loss<AbsoluteLoss> && Loss<HuberLoss>);

}  // namespace tarry
