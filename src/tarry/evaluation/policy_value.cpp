#include "tarry/evaluation/policy_value.h"

#include <algorithm>
#include <cmath>

namespace tarry::evaluation {
namespace {

constexpr double kNormal = 1.959963984540054;  // 97.5 % of a normal distribution lie below

}  // namespace

PolicyValue::Guessed PolicyValue::add(const LoggedReward& round) {
  modelled_ = modelled_ && round.model;
  bounded_ = bounded_ && round.model && round.model->bounded;
  Guessed guessed;
  if (range_) guessed = add_bounds(round);
  if (!round.reward)
    open_ += 1;
  else
    add_sums(round, 1);
  return guessed;
}

void PolicyValue::add_sums(const LoggedReward& round, double times) {
  const double w = round.weight, r = *round.reward;
  rewarded_ += times;
  weights_ += times * w;
  weights_squared_ += times * w * w;
  weighted_ += times * w * r;
  weighted_squared_ += times * w * r * w * r;
  weighted_cross_ += times * w * w * r;
  if (round.model) doubly_ += times * (round.model->policy + w * (r - round.model->taken));
}

// A reward that has not come is the lowest for the lower bound, and the highest for the upper.
PolicyValue::Guessed PolicyValue::add_bounds(const LoggedReward& round) {
  const double w = round.weight;
  const double least = round.reward ? in_range(*round.reward) : 0, most = round.reward ? in_range(*round.reward) : 1;
  Guessed guessed{.ips_low = ips_.low.add(w * least, 0), .ips_high = ips_.high.add(w * (1 - most), 0)};
  if (!bounded_) return guessed;
  const Modelled& model = *round.model;
  const double policy = in_range(model.policy), taken = in_range(model.taken), unit = range_->high - range_->low;
  guessed.dr_low = dr_.low.add(policy + w * (least - taken), policy - model.largest_down / unit);
  guessed.dr_high = dr_.high.add(1 - (policy + w * (most - taken)), 1 - (policy + model.largest_up / unit));
  return guessed;
}

void PolicyValue::revise(const LoggedReward& added, const Guessed& guessed, double reward) {
  LoggedReward now = added;
  now.reward = reward;
  add_sums(added, -1);
  add_sums(now, 1);
  if (!range_) return;
  const double w = added.weight, before = in_range(*added.reward), after = in_range(reward);
  ips_.low.replace(guessed.ips_low, 0, w * before, w * after);
  ips_.high.replace(guessed.ips_high, 0, w * (1 - before), w * (1 - after));
  if (!bounded_) return;
  const Modelled& model = *added.model;
  const double policy = in_range(model.policy), taken = in_range(model.taken), unit = range_->high - range_->low;
  const auto doubly = [&](double r) { return policy + w * (r - taken); };
  dr_.low.replace(guessed.dr_low, policy - model.largest_down / unit, doubly(before), doubly(after));
  dr_.high.replace(guessed.dr_high, 1 - (policy + model.largest_up / unit), 1 - doubly(before), 1 - doubly(after));
}

Estimate PolicyValue::with_interval(double value, const Sided& sided, double alpha) const {
  Estimate estimate{.value = value};
  if (!range_) return estimate;
  const double unit = range_->high - range_->low;
  const double low = std::max(0.0, sided.low.bound(alpha / 2));
  const double high = std::min(1.0, 1 - sided.high.bound(alpha / 2));
  estimate.low = range_->low + unit * low;
  estimate.high = range_->low + unit * high;
  return estimate;
}

Estimate PolicyValue::ips(double alpha) const { return with_interval(weighted_ / rewarded_, ips_, alpha); }

std::optional<Estimate> PolicyValue::dr(double alpha) const {
  if (!modelled_) return std::nullopt;
  if (!bounded_) return Estimate{.value = doubly_ / rewarded_};
  return with_interval(doubly_ / rewarded_, dr_, alpha);
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
