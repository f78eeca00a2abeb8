#include "tarry/learners/frank_wolfe/restarting_ofw.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/spec/node.h"
#include "tarry/theory/bounds.h"
#include "tarry/theory/step_size.h"

namespace tarry {
namespace {

constexpr double kAnyEta = 1;  // until a gradient has come, or on a single point, no step depends on it

// Gradients close to nothing would ask for a step beyond all numbers; with a smaller one no bound is claimed.
OfwRule rule(double eta) { return OfwRule(std::min(eta, spec::kLargest)); }
bool is_followed(double eta) { return eta <= spec::kLargest; }

}  // namespace

OfwEpochs::OfwEpochs(AnySet set, double eta, const Shape& shape, const Effort& effort)
    : set_(std::move(set)), ofw_(set_, rule(eta), shape, effort) {}

void OfwEpochs::restart(double eta) {
  ofw_.restart(rule(eta));
  ++epoch_;
}

double OfwEpochs::play(Round t, const Covector* features, Memo& memo) {
  memo.push_back(static_cast<double>(epoch_));
  return ofw_.play(t, features, memo);
}

void OfwEpochs::save(ByteWriter& out) const {
  out.u64(epoch_);
  ofw_.save(out);
}

void OfwEpochs::load(ByteReader& in) {
  epoch_ = in.u64();
  ofw_.load(in);
}

AnytimeOfw::AnytimeOfw(AnySet set, double gradient_bound, const Shape& shape, const Effort& effort)
    : gradient_bound_(gradient_bound), diameter_(set.diameter()), epochs_(std::move(set), eta(), shape, effort) {}

double AnytimeOfw::eta() const {
  return diameter_ > 0 ? theory::ofw_eta_epoch(diameter_, gradient_bound_, budget_) : kAnyEta;
}

double AnytimeOfw::play(Round t, const Covector* features, Memo& memo) {
  if (tarry::pow(rounds_ + 1, 1.5) + sum_outstanding_ + outstanding_ > budget_) {
    budget_ *= 4;
    rounds_ = outstanding_ = sum_outstanding_ = 0;
    epochs_.restart(eta());
  }
  rounds_ += 1;
  sum_outstanding_ += outstanding_;
  outstanding_ += 1;
  return epochs_.play(t, features, memo);
}

void AnytimeOfw::receive(Round t, const Feedback& feedback, const Memo& memo) {
  if (!epochs_.is_current(memo)) return;
  outstanding_ -= 1;
  epochs_.receive(t, feedback, memo);
}

void AnytimeOfw::abandon(Round, const Memo& memo) {
  if (epochs_.is_current(memo)) outstanding_ -= 1;
}

void AnytimeOfw::save(ByteWriter& out) const {
  out.reals(Vec{budget_, rounds_, outstanding_, sum_outstanding_});
  epochs_.save(out);
}

void AnytimeOfw::load(ByteReader& in) {
  const Vec saved = in.finites(4);
  if (!(saved[0] >= 1)) throw Error(Code::kCorrupt, "snapshot: an epoch's budget must be at least 1");
  budget_ = saved[0];
  rounds_ = saved[1];
  outstanding_ = saved[2];
  sum_outstanding_ = saved[3];
  epochs_.load(in);
}

std::optional<double> AnytimeOfw::bound(const theory::Seen& seen) const {
  const double largest_step = diameter_ > 0 ? theory::ofw_eta_epoch(diameter_, gradient_bound_, 1) : kAnyEta;
  if (!seen.within(gradient_bound_) || !is_followed(largest_step)) return std::nullopt;
  theory::Scene scene = scene_of(seen, epochs_.set());
  scene.gradient_bound = gradient_bound_;  // the step was set by the bound given, not by what came
  return theory::ofw_unknown_horizon(scene);
}

ScalingOfw::ScalingOfw(AnySet set, double horizon, const Shape& shape, const Effort& effort)
    : horizon_(horizon), epochs_(std::move(set), kAnyEta, shape, effort) {}

void ScalingOfw::receive(Round t, const Feedback& feedback, const Memo& memo) {
  const double norm = feedback.gradient.norm();
  if (norm > gradient_bound_) {
    if (first_norm_ == 0) first_norm_ = norm;
    gradient_bound_ = std::max(2 * gradient_bound_, norm);
    const double diameter = epochs_.set().diameter();
    epochs_.restart(diameter > 0 ? theory::ofw_eta_general(diameter, gradient_bound_, horizon_) : kAnyEta);
    return;
  }
  if (epochs_.is_current(memo)) epochs_.receive(t, feedback, memo);
}

void ScalingOfw::save(ByteWriter& out) const {
  out.f64(gradient_bound_);
  out.f64(first_norm_);
  epochs_.save(out);
}

void ScalingOfw::load(ByteReader& in) {
  gradient_bound_ = in.size();
  first_norm_ = in.size();
  epochs_.load(in);
}

std::optional<double> ScalingOfw::bound(const theory::Seen& seen) const {
  if (first_norm_ == 0 || seen.rounds > horizon_) return std::nullopt;
  theory::Scene scene = scene_of(seen, epochs_.set());
  if (scene.diameter > 0 && !is_followed(theory::ofw_eta_general(scene.diameter, first_norm_, horizon_)))
    return std::nullopt;
  scene.rounds = horizon_;
  return theory::ofw_unknown_gradient_bound(scene, first_norm_);
}

}  // namespace tarry
