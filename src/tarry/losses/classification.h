// Losses of a label −1 or +1 (0 counts as −1) and a margin p.
#pragma once

#include "tarry/losses/loss.h"

namespace tarry {

struct LossEntry;

double sign_label(double label);  // −1 or +1; throws Error for any other label

// `positive_weight` multiplies the losses of examples with label +1.
struct LogisticLoss {  // ln(1 + e^{−yp})
  double positive_weight = 1;

  double value(double p, double y) const;
  double slope(double p, double y) const;
  void value_each(std::span<const double> p, double y, std::span<double> values) const;
  void slope_each(std::span<const double> p, double y, std::span<double> slopes) const;
  void implicit_each(const ImplicitSteps& steps, double y, std::span<double> slopes) const;
  double label(double y) const { return sign_label(y); }
  double shown(double p) const;  // the probability of +1
  // Of −1 and +1; with a weight, predictions are no probabilities.
  std::size_t classes() const { return positive_weight == 1 ? 2 : 0; }
  void probabilities(std::span<const double> predictions, std::span<double> each) const {
    each[0] = shown(-predictions[0]);
    each[1] = shown(predictions[0]);
  }
  double class_label(std::size_t c) const { return c == 1 ? 1 : -1; }
  static LossEntry entry();

 private:
  double weight(double y) const { return y > 0 ? positive_weight : 1; }
};

struct HingeLoss {  // max(0, 1 − yp)
  double positive_weight = 1;

  double value(double p, double y) const { return weight(y) * (y * p < 1 ? 1 - y * p : 0); }
  double slope(double p, double y) const { return y * p < 1 ? -y * weight(y) : 0; }
  double label(double y) const { return sign_label(y); }
  static LossEntry entry();

 private:
  double weight(double y) const { return y > 0 ? positive_weight : 1; }
};

static_assert(Loss<LogisticLoss> && Loss<HingeLoss>);

}  // namespace tarry
