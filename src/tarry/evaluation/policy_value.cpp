#include "tarry/evaluation/policy_value.h"

#include <algorithm>
#include <cmath>

namespace tarry::evaluation {
namespace {

constexpr double kNormal = 1.959963984540054;  // 97.5 % of a normal distribution lie below

}  // namespace

void PolicyValue::add(const LoggedReward& round) {
  modelled_ = modelled_ && round.model;
  bounded_ = bounded_ && round.model && round.model->bounded;
  if (range_) add_bounds(round);
  if (!round.reward) {
    open_ += 1;
    return;
  }
  const double w = round.weight, r = *round.reward;
  rewarded_ += 1;
  weights_ += w;
  weights_squared_ += w * w;
  weighted_ += w * r;
  weighted_squared_ += w * r * w * r;
  weighted_cross_ += w * w * r;
  if (round.model) doubly_ += round.model->policy + w * (r - round.model->taken);
}

// A reward that has not come is the lowest for the lower bound, and the highest for the upper.
void PolicyValue::add_bounds(const LoggedReward& round) {
  const double w = round.weight;
  const double least = round.reward ? in_range(*round.reward) : 0, most = round.reward ? in_range(*round.reward) : 1;
  ips_.low.add(w * least, 0);
  ips_.high.add(w * (1 - most), 0);
  if (!bounded_) return;
  const Modelled& model = *round.model;
  const double policy = in_range(model.policy), taken = in_range(model.taken), unit = range_->high - range_->low;
  dr_.add(policy + w * (least - taken), policy + w * (most - taken), policy - model.largest_down / unit,
          policy + model.largest_up / unit);
}

Estimate PolicyValue::with_interval(double value, const Sided& sided) const {
  Estimate estimate{.value = value};
  if (!range_) return estimate;
  const double unit = range_->high - range_->low;
  const double low = std::max(0.0, sided.low.bound(kAlpha / 2));
  const double high = std::min(1.0, 1 - sided.high.bound(kAlpha / 2));
  estimate.low = range_->low + unit * low;
  estimate.high = range_->low + unit * high;
  return estimate;
}

Estimate PolicyValue::ips() const { return with_interval(weighted_ / rewarded_, ips_); }

std::optional<Estimate> PolicyValue::dr() const {
  if (!modelled_) return std::nullopt;
  if (!bounded_) return Estimate{.value = doubly_ / rewarded_};
  return with_interval(doubly_ / rewarded_, dr_);
}

// A ratio of two sums: its error is that of Σ w (r − value), divided by Σ w.
Estimate PolicyValue::snips() const {
  const double value = weighted_ / weights_;
  const double squares = weighted_squared_ - 2 * value * weighted_cross_ + value * value * weights_squared_;
  const double half = kNormal * std::sqrt(std::max(0.0, squares)) / weights_;
  if (!std::isfinite(half)) return {.value = value};
  return {.value = value, .low = value - half, .high = value + half};
}

void PolicyValue::save(ByteWriter& out) const {
  for (const double x : {rewarded_, open_, weights_, weights_squared_, weighted_, weighted_squared_, weighted_cross_,
                         doubly_, modelled_ ? 1.0 : 0.0, bounded_ ? 1.0 : 0.0})
    out.f64(x);
  for (const LowerSequence* sequence : {&ips_.low, &ips_.high, &dr_.low, &dr_.high}) sequence->save(out);
}

void PolicyValue::load(ByteReader& in) {
  for (double* x :
       {&rewarded_, &open_, &weights_, &weights_squared_, &weighted_, &weighted_squared_, &weighted_cross_, &doubly_})
    *x = in.f64();
  modelled_ = in.f64() != 0;
  bounded_ = in.f64() != 0;
  for (LowerSequence* sequence : {&ips_.low, &ips_.high, &dr_.low, &dr_.high}) sequence->load(in);
}

double PolicyValue::weight_error() const {
  const double mean = mean_weight(), variance = weights_squared_ / rewarded_ - mean * mean;
  const double error = std::sqrt(std::max(0.0, variance) / rewarded_);
  return mean == 1 ? 0 : (mean - 1) / error;
}

}  // namespace tarry::evaluation
