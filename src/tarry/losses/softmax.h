// The loss of a label among several classes, one prediction each: −ln of the probability that softmax gives the label.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tarry/losses/loss.h"

namespace tarry {

struct LossEntry;

// e^p / Σ e^p into `each`, which may be the predictions themselves.
void softmax(std::span<const double> predictions, std::span<double> each);
// −ln of one of these shares.
double softmax_loss(std::span<const double> predictions, std::size_t at);

class SoftmaxLoss {
 public:
  // Labels are first, first + 1, …; `weights`, one a class, multiply the loss of its examples (empty: all 1).
  SoftmaxLoss(std::size_t classes, double first, std::vector<double> weights);

  std::size_t outputs() const { return weights_.size(); }
  double value(std::span<const double> predictions, double label) const;
  void slopes(std::span<const double> predictions, double label, std::span<double> slopes) const;
  double label(double given) const;                      // from 0
  double shown(double at) const { return first_ + at; }  // a class's label again
  std::size_t classes() const;                           // 0 with weights: predictions are then no probabilities
  void probabilities(std::span<const double> predictions, std::span<double> each) const;
  double class_label(std::size_t c) const { return static_cast<double>(c); }

  // Classes beyond the first `named` have not been heard of: until one is, nobody expects it, and it is not learnt that
  // it did not come.
  SoftmaxLoss naming(std::size_t named) const;

  static LossEntry entry();

 private:
  std::size_t expected(std::size_t label) const { return std::max(named_, label + 1); }

  double first_;
  std::vector<double> weights_;
  std::size_t named_;
};

static_assert(Loss<SoftmaxLoss>);

}  // namespace tarry
