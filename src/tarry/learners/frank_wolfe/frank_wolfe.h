// Delayed online Frank-Wolfe: the one body of the paper's Algorithms 1 and 2, over any set and any track.
//
// Both keep y, the decision, and p, and on each gradient do
//     p += a g + γ y,   c = p + b y,   v = LMO(c),   y += σ (v − y),
// with σ the exact line search of F(y) = ⟨p, y⟩ + (b/2)‖y‖². A rule says what a, γ, b and p₀ are.
//
// Differs from the paper: with `oracle_calls` = k > 1 the last three are done k times a gradient, on the same F. No
// step raises F, so every bound stays (docs/theory.md); k = 1 is the paper's algorithm. So is a rule's batch of 1; with
// more, gradients are only added to p until the batch is full. Where v = y or c = 0, σ is 0, and the rule still goes on
// to its next coefficients. Gradients of one F_t come in the order of the log; no bound depends on it. With `sample` it
// starts at a vertex, the oracle's answer to 0, so that every decision is a mixture of the oracle's answers, and one is
// drawn.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/learners/frank_wolfe/atom_mixture.h"
#include "tarry/learners/frank_wolfe/effort.h"
#include "tarry/learners/learner.h"
#include "tarry/sets/set.h"
#include "tarry/theory/bounds.h"
#include "tarry/theory/seen.h"
#include "tarry/tracks/iterate.h"

namespace tarry {

template <class R>
concept FrankWolfeRule = requires(R rule, const R k, double norm, double diameter, ByteWriter& out, ByteReader& in) {
  { k.p_over_y() } -> std::same_as<double>;            // p₀ = p_over_y · y₁
  { k.batch() } -> std::same_as<Index>;                // gradients a step
  { rule.next() } -> std::same_as<Sweep>;              // the coefficients of the next update
  { k.again() } -> std::same_as<Sweep>;                // those of a change to a gradient that it has
  rule.see(norm);                                      // of a gradient, where the oracle is inexact
  { k.allowed(diameter) } -> std::same_as<Allowance>;  // what the update may get wrong for the bound to stay
  k.save(out);
  rule.load(in);
};

// The set's β_K, where it has one.
template <DecisionSet K>
std::optional<double> set_convexity(const K& set) {
  if constexpr (requires { set.strong_convexity(); }) return set.strong_convexity();
  return std::nullopt;
}

template <DecisionSet K>
theory::Scene scene_of(const theory::Seen& seen, const K& set) {
  return {set.diameter(), seen.gradient_bound, seen.rounds, seen.mean_delay(), seen.largest_delay};
}

// Whether an atom is in the set, to rounding; those of many coordinates are believed.
template <DecisionSet K>
bool is_in(const K& set, const Atom& v, Index dimension) {
  constexpr Index kMost = 4096;
  constexpr double kTolerance = 1e-6;
  if (dimension > kMost) return true;
  Vec x(static_cast<std::size_t>(dimension), 0.0);
  write(v, x);
  return set.contains(x, kTolerance);
}

template <DecisionSet K, FrankWolfeRule Rule>
class FrankWolfe {
 public:
  FrankWolfe(K set, Rule rule, const Shape& shape, const Effort& effort = {})
      : set_(std::move(set)),
        rule_(rule),
        effort_(effort),
        dimension_(shape.start.dimension),
        inexact_(shape.has_matrix() ? set_.diameter() : 0),
        y_(shape, rule.p_over_y(), effort.storage, effort.stream) {
    if (effort.sample) start_at_vertex(*effort.sample);
  }
  FrankWolfe(K set, Rule rule) : FrankWolfe(set, rule, shape_of(set)) {}

  double play(Round, const Covector* features, Memo&) {
    if (sampler_) sampler_->play();
    return features != nullptr ? predict(*features) : 0;
  }

  double predict(const Covector& features) const { return y_->dot(features); }

  void write(std::span<double> x) const { y_->write(x); }

  void receive(Round, const Feedback& feedback, const Memo&) {
    if (inexact_ > 0) rule_.see(feedback.gradient.norm());
    Sweep k = rule_.next();
    if (++waiting_ < rule_.batch()) return y_->add(feedback.gradient, k.a);
    waiting_ = 0;
    if (inexact_ > 0) k.allowed = allowed();
    y_.sweep(feedback.gradient, k);
    bool moved = descend(k.b);
    for (Index call = 1; call < effort_.oracle_calls && moved; ++call) {
      y_->sweep(Covector::sparse({}, {}), {.a = 0, .gamma = 0, .b = k.b, .allowed = k.allowed});  // c follows y
      moved = descend(k.b);
    }
  }

  void abandon(Round, const Memo&) {}
  bool sums_gradients() const {
    return requires { Rule::kAnyGradients; };
  }

  // p has the new gradient in the place of the old one, and y takes a step on the F that it makes.
  bool revises() const { return true; }
  void revise(const Revision& revision, Memo&) {
    if (inexact_ > 0) rule_.see(revision.after.gradient.norm());
    Vec values;
    const Covector difference = revision.difference(values);
    Sweep k = rule_.again();
    if (rule_.batch() > 1) return y_->add(difference, k.a);
    if (inexact_ > 0) k.allowed = allowed();
    y_.sweep(difference, k);
    descend(k.b);
  }

  // Begins again from its point: y₁ ← y, ḡ ← 0.
  void restart(Rule rule) {
    rule_ = rule;
    waiting_ = 0;
    y_.restart(rule.p_over_y());
  }

  void save(ByteWriter& out) const {
    rule_.save(out);
    out.i64(waiting_);
    y_.save(out);
    if (sampler_) sampler_->save(out);
  }
  void load(ByteReader& in) {
    rule_.load(in);
    waiting_ = in.i64();
    if (waiting_ < 0 || waiting_ >= rule_.batch())
      throw Error(Code::kCorrupt, "snapshot: its batch is of another size");
    y_.load(in);
    if (sampler_) sampler_->load(in);
  }

  bool samples() const { return sampler_.has_value(); }
  Atom sample() const {
    ensure(samples(), "a learner that is asked for a vertex keeps some");
    return sampler_->draw();
  }
  const std::optional<Sampler>& sampler() const { return sampler_; }

  std::optional<double> bound(const theory::Seen& seen) const {
    const double diameter = set_.diameter();
    if (diameter > 0 && !theory::squares_are_kept(diameter * diameter)) return std::nullopt;
    return rule_.bound(seen, set_, inexact_ > 0);
  }

  Index dimension() const { return dimension_; }
  bool is_sparse() const { return y_.is_sparse(); }

 private:
  // c = p + b y is 0 for this b.
  void start_at_vertex(std::uint64_t seed) {
    y_.sweep(Covector::sparse({}, {}), {.a = 0, .gamma = 0, .b = -rule_.p_over_y()});
    const Atom v = set_.oracle(*y_);
    y_->step(1, v);
    y_.restart(rule_.p_over_y());
    sampler_.emplace(seed, v, dimension_);
  }

  // A share of what the rule allows; steps on the same F share what shorter forms may cost.
  Allowance allowed() const {
    const Allowance most = rule_.allowed(inexact_);
    const double share = effort_.oracle_error, of_each = share / static_cast<double>(effort_.oracle_calls);
    return {share * most.oracle, of_each * most.rise, of_each * most.spurious};
  }

  // One Frank-Wolfe step on F; false when y stays: then it would stay for ever.
  bool descend(double b) {
    const Atom v = set_.oracle(*y_);
    ensure_thoroughly([&] { return is_in(set_, v, dimension_); }, "the oracle's answer is in the set");
    const double sigma = line_search(y_->toward(v), b);
    ensure(sigma >= 0 && sigma <= 1, "a step of Frank-Wolfe stays on the segment");
    y_->step(sigma, v);
    if (sampler_) sampler_->step(sigma, v);
    return sigma > 0;
  }

  // σ = clip(⟨c, y − v⟩ / (b ‖v − y‖²), 0, 1), written so that v = y and rounding give 0 or 1, never NaN.
  static double line_search(const Segment& to_v, double b) {
    if (!(to_v.gap > 0) || !(to_v.width > 0)) return 0;
    const double curvature = b * to_v.width;
    return to_v.gap >= curvature ? 1 : to_v.gap / curvature;
  }

  K set_;
  Rule rule_;
  Effort effort_;
  Index dimension_;
  double inexact_;     // the diameter, where the oracle may be iterative; else 0
  Index waiting_ = 0;  // gradients in the batch so far
  Iterate y_;
  std::optional<Sampler> sampler_;
};

}  // namespace tarry
