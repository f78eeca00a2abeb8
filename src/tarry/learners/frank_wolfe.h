// Delayed online Frank-Wolfe: the one body of the paper's Algorithms 1 and 2, over any set and any track.
//
// Both keep y, the decision, and p, and on each gradient do
//     p += a g + γ y,   c = p + b y,   v = LMO(c),   y += σ (v − y),
// with σ the exact line search of F(y) = ⟨p, y⟩ + (b/2)‖y‖². A rule says what a, γ, b and p₀ are.
//
// Differs from the paper: with `oracle_calls` = k > 1 the last three are done k times a gradient, on the same F. No
// step raises F, so every bound stays (docs/theory.md); k = 1 is the paper's algorithm.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>

#include "tarry/learners/learner.h"
#include "tarry/linalg/iterate.h"
#include "tarry/sets/set.h"
#include "tarry/theory/bounds.h"
#include "tarry/theory/seen.h"

namespace tarry {

template <class R>
concept FrankWolfeRule = requires(R rule, const R k, ByteWriter& out, ByteReader& in) {
  { k.p_over_y() } -> std::same_as<double>;  // p₀ = p_over_y · y₁
  { rule.next() } -> std::same_as<Sweep>;    // the coefficients of the next update
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

template <DecisionSet K, FrankWolfeRule Rule>
class FrankWolfe {
 public:
  FrankWolfe(K set, Rule rule, const Shape& shape, Storage storage = Storage::kAuto, Index oracle_calls = 1)
      : set_(std::move(set)), rule_(rule), oracle_calls_(oracle_calls), y_(shape, rule.p_over_y(), storage) {}
  FrankWolfe(K set, Rule rule) : FrankWolfe(set, rule, shape_of(set)) {}

  double play(Round, const Covector* features, Memo&) { return features != nullptr ? predict(*features) : 0; }

  double predict(const Covector& features) const { return y_->dot(features); }

  void write(std::span<double> x) const { y_->write(x); }

  void receive(Round, const Feedback& feedback, const Memo&) {
    const Sweep k = rule_.next();
    y_.sweep(feedback.gradient, k);
    bool moved = descend(k.b);
    for (Index call = 1; call < oracle_calls_ && moved; ++call) {
      y_->sweep(Covector::sparse({}, {}), {.a = 0, .gamma = 0, .b = k.b});  // c follows y
      moved = descend(k.b);
    }
  }

  void abandon(Round, const Memo&) {}

  // Begins again where it stands: y₁ ← y, ḡ ← 0.
  void restart(Rule rule) {
    rule_ = rule;
    y_.restart(rule.p_over_y());
  }

  void save(ByteWriter& out) const {
    rule_.save(out);
    y_.save(out);
  }
  void load(ByteReader& in) {
    rule_.load(in);
    y_.load(in);
  }

  std::optional<double> bound(const theory::Seen& seen) const { return rule_.bound(seen, set_); }

  bool is_sparse() const { return y_.is_sparse(); }

 private:
  // One Frank-Wolfe step on F; false when y stays: then it would stay for ever.
  bool descend(double b) {
    const Atom v = set_.oracle(*y_);
    const double sigma = line_search(y_->toward(v), b);
    y_->step(sigma, v);
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
  Index oracle_calls_;
  Iterate y_;
};

}  // namespace tarry
