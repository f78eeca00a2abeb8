#include "tarry/learners/leaders/gauge_ftrl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/within.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/learners/kept_memo.h"
#include "tarry/learners/leaders/lp_ftrl.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

AnyLearner read(const spec::Node& node, const LearnerSetting& setting) {
  setting.refuse_initial(node);
  if (!setting.set.gauge_curvature())
    node.fail_whole("needs a strongly convex set that contains the origin, but this set is not one",
                    Code::kUnsupported);
  const bool light = node.has("light") && node.at("light").flag();
  if (node.has("eta") && node.has("gradient_bound")) node.fail_whole("give either eta or gradient_bound, or neither");
  if (light && (node.has("eta") || node.has("gradient_bound")))
    node.fail_whole("light belongs to the adaptive step, which takes neither eta nor gradient_bound");
  if (node.has("eta")) return GaugeFtrl(setting.set, GaugeStep::kFixed, node.positive("eta"));
  if (node.has("gradient_bound")) return GaugeFtrl(setting.set, GaugeStep::kAnytime, node.positive("gradient_bound"));
  if (const auto ball = setting.set.lp_shape(); light && ball) return LpFtrl(setting.set.dimension(), *ball);
  return GaugeFtrl(setting.set, light ? GaugeStep::kLight : GaugeStep::kAdaptive, 0);
}

VerifyRows gauge_rows() {
  const NamedSpec anytime{"gauge_ftrl anytime", R"({"type": "gauge_ftrl", "gradient_bound": 1})"},
      adaptive{"gauge_ftrl adaptive", R"({"type": "gauge_ftrl"})"};
  return {.drawn = {{"gauge_ftrl fixed", R"({"type": "gauge_ftrl", "eta": 0.05})"},
                    anytime,
                    adaptive,
                    {"gauge_ftrl light", R"({"type": "gauge_ftrl", "light": true})"}},
          .climbed = {anytime},
          .rates = {{.learner = adaptive,
                     .set = R"({"type": "l2_ball", "dimension": 3, "radius": 1})",
                     .instance = Instance::kSigns,
                     .theory = 0.5,
                     .seeds = 64}}};
}

}  // namespace

LearnerEntry gauge_ftrl_entry() {
  return {.name = "gauge_ftrl",
          .summary = "Follow the regularised leader by the gauge of a strongly convex set: O(√(d̄T))",
          .keys = {{"eta", "a positive number: a fixed step", "optional"},
                   {"gradient_bound", "a positive number: the anytime step", "optional"},
                   {"light", "true: adaptive with one number per outstanding round; on lp balls at the features' cost",
                    "false"}},
          .make = read,
          .examples = {R"({"type": "gauge_ftrl"})", R"({"type": "gauge_ftrl", "eta": 0.2})",
                       R"({"type": "gauge_ftrl", "gradient_bound": 3})", R"({"type": "gauge_ftrl", "light": true})"},
          .cost = [](const spec::Value& learner, const CostScene& scene) -> Cost {
            if (learner.flag_at("light") && scene.set.lp_shape()) return touched_cost(scene);
            return full_cost(scene.set, "one oracle call and " + pass_over(scene.set.dimension()));
          },
          .verify = gauge_rows,
          .revises = "gauge_ftrl"};
}

GaugeFtrl::GaugeFtrl(AnySet set, GaugeStep step, double value)
    : set_(std::move(set)),
      shape_(set_.shape()),
      step_(step),
      value_(value),
      mu_(set_.gauge_curvature().value()),
      sum_(full_vector(set_.dimension())),
      vertex_{SparseAtom{}} {}

double GaugeFtrl::lambda() const { return step_ == GaugeStep::kLight ? s_ : std::max(a_, std::min(s_, w_ * w_)); }

double GaugeFtrl::eta() const {
  switch (step_) {
    case GaugeStep::kFixed:
      return value_;
    case GaugeStep::kAnytime:
      return std::sqrt(mu_) / (2 * value_ * std::sqrt(weighted_outstanding_));
    case GaugeStep::kAdaptive:
    case GaugeStep::kLight:
      break;
  }
  const double root = std::sqrt(lambda());
  return root > 0 ? std::sqrt(mu_) / (2 * root) : 0;
}

// With an oracle whose error is at most ε: ĥ = −⟨g, v⟩ ≥ h − ε, and x̂ = min(1, ηĥ) v (0 if ĥ ≤ 0). The minimum of
// −sh + s²/(2η) over s in [0, 1] is concave in h with slope −min(1, ηh), so the objective at x̂ is at most its minimum
// plus min(1, ηh) ε. If that is at most ηG²/(2μ), strong convexity gives ‖x̂ − x‖ ≤ ηG/μ, and Theorem 7.1 holds with
// o_t + 1 for o_t.
void GaugeFtrl::decide() {
  if (!fresh_) {
    if (max_abs(sum_) == 0) {  // x = 0 while nothing has been learnt
      vertex_ = {SparseAtom{}};
      height_ = 0;
    } else {
      vertex_ = set_.oracle(DenseDirection(sum_, shape_));
      height_ = -inner(vertex_, sum_);
    }
    fresh_ = true;
  }
  factor_ = std::min(1.0, eta() * height_);
}

double GaugeFtrl::play(Round, const Covector* features, Memo& memo) {
  weighted_outstanding_ += outstanding_ + 0.5;
  outstanding_ += 1;
  remember(memo);
  decide();
  return features != nullptr ? predict(*features) : 0;
}

void GaugeFtrl::write(std::span<double> x) const {
  tarry::write(vertex_, x);
  for (double& xi : x) xi *= factor_;
}

void GaugeFtrl::remember(Memo& memo) {
  if (step_ != GaugeStep::kAdaptive && step_ != GaugeStep::kLight) return;
  memo.push_back(n_);
  if (step_ == GaugeStep::kLight) return;
  memo.push_back(static_cast<double>(received_));
  versions_.take(received_, [this] { return sum_; });
}

void GaugeFtrl::forget(const Memo& memo) {
  if (step_ == GaugeStep::kAdaptive) versions_.release(kept_count(memo, 1));
}

// arrival k:  q = ‖g_k‖;  b = N − N_k;  A += q‖g_k + ĝ − ĝ_k‖;  S += q(q + b);  W = max(W, q + b);  N += q
GaugeFtrl::Scales GaugeFtrl::adapt(const Feedback& feedback, const Memo& memo) {
  const double q = feedback.gradient.norm(), b = n_ - kept_number(memo, 0);
  Scales scales{.b = b};
  if (step_ == GaugeStep::kAdaptive) {
    const Vec& seen = versions_.at(kept_count(memo, 1));
    if (b == 0) {
      scales.a = q * q;
    } else {
      Vec since = sum_;
      kernels::blend(since, 1, seen, -1);
      scales.late = norm2(since);
      feedback.gradient.add_to(since);
      scales.a = q * norm2(since);
    }
    a_ += scales.a;
  }
  s_ += q * (q + b);
  w_ = std::max(w_, q + b);
  n_ += q;
  return scales;
}

GaugeFtrl::Scales GaugeFtrl::learn(const Feedback& feedback, const Memo& memo) {
  Scales scales;
  if (step_ == GaugeStep::kAdaptive || step_ == GaugeStep::kLight) scales = adapt(feedback, memo);
  forget(memo);
  outstanding_ -= 1;
  ++received_;
  feedback.gradient.add_to(sum_);
  fresh_ = false;
  return scales;
}

void GaugeFtrl::receive(Round, const Feedback& feedback, const Memo& memo) { learn(feedback, memo); }

void GaugeFtrl::settle(Round, const Feedback& feedback, Memo& memo) {
  const Scales scales = learn(feedback, memo);
  memo = {scales.b, scales.a, scales.late};
}

// ĝ, N and S are as if the label had been this one from the start; of A there is a bound, since ĝ − ĝ_k is gone.
void GaugeFtrl::revise(const Revision& revision, Memo& memo) {
  Vec values;
  if (step_ == GaugeStep::kAdaptive || step_ == GaugeStep::kLight) {
    const double q = revision.after.gradient.norm(), before = revision.before.gradient.norm();
    const double b = kept_number(memo, 0), a = q * (q + kept_number(memo, 2));
    s_ = std::max(0.0, s_ + q * (q + b) - before * (before + b));
    w_ = std::max(w_, q + b);
    n_ += q - before;
    if (step_ == GaugeStep::kAdaptive) a_ = std::max(0.0, a_ + a - memo[1]);
    memo[1] = a;
  }
  revision.difference(values).add_to(sum_);
  fresh_ = false;
}

void GaugeFtrl::abandon(Round, const Memo& memo) {
  forget(memo);
  outstanding_ -= 1;
}

void GaugeFtrl::save(ByteWriter& out) const {
  out.reals(sum_);
  out.u64(received_);
  out.reals(Vec{outstanding_, weighted_outstanding_, n_, a_, s_, w_});
  versions_.save(out, [&](const Vec& sum) { out.reals(sum); });
  save_atom(vertex_, out);  // the last decision, in case it is asked for before the next play
  out.reals(Vec{height_, factor_, fresh_ ? 1.0 : 0.0});
}

void GaugeFtrl::load(ByteReader& in) {
  check_within(sum_ = in.reals(sum_.size()));
  received_ = in.u64();
  const Vec scalars = in.reals(6);
  outstanding_ = scalars[0];
  weighted_outstanding_ = scalars[1];
  n_ = scalars[2];
  a_ = scalars[3];
  s_ = scalars[4];
  w_ = scalars[5];
  versions_.load(in, [&] { return in.reals(sum_.size()); });
  vertex_ = load_atom(in, dimension());
  const Vec decision = in.reals(3);
  height_ = decision[0];
  factor_ = decision[1];
  fresh_ = decision[2] != 0;
}

std::optional<double> GaugeFtrl::bound(const theory::Seen& seen) const {
  if (!theory::squares_are_kept(mu_)) return std::nullopt;
  switch (step_) {
    case GaugeStep::kFixed:
      return theory::gauge_ftrl_fixed(value_, seen.gradient_bound, mu_, weighted_outstanding_);
    case GaugeStep::kAnytime:
      if (!seen.within(value_)) return std::nullopt;
      return theory::gauge_ftrl_anytime(value_, mu_, weighted_outstanding_);
    case GaugeStep::kAdaptive:
    case GaugeStep::kLight:
      break;
  }
  // While rounds are outstanding their part of Λ is not known; G²(T + Σo) bounds the whole.
  const double g = seen.gradient_bound;
  const double whole = outstanding_ == 0 ? lambda() : g * g * (seen.rounds + seen.sum_outstanding);
  if (!theory::squares_are_kept(whole)) return set_.diameter() * (n_ + outstanding_ * g);  // each round at its worst
  const double reach = 1 / std::sqrt(mu_);  // max‖x‖: on K half the squared gauge is at most ½, and at least μ‖x‖²/2
  return theory::gauge_ftrl_adaptive(whole, mu_, reach);
}

}  // namespace tarry
