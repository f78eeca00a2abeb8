// GaugeFTRL over an lp ball, 1 < p ≤ 2, at the cost of the features: the light adaptive form, which needs the received
// sum ĝ and one running norm of it. A prediction and an update cost the features' non-zeros, whatever the dimension.
// Not in the paper; docs/theory.md. Gradients are measured in the dual norm, for which half the squared p-norm is (p −
// 1)-strongly convex: on nearly-l1 balls a far smaller number than the 2-norm.
//
//   x = −min(1, η r‖ĝ‖_q) r · sign(ĝ)|ĝ|^{q−1}/‖ĝ‖_q^{q−1},   η = √(p − 1)/(2r√S),   S += ‖g‖(‖g‖ + N − N_k),   N +=
//   ‖g‖
#pragma once

#include <optional>

#include "tarry/learners/lateness.h"
#include "tarry/learners/learner.h"
#include "tarry/linalg/power_sum.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

// kLight is the rule above. kFresh, for a hedge, takes a known loss's gradient at its point when the feedback comes,
// as AdaGrad does (adagrad.h), and S = Σ‖g‖².
enum class LpStep : std::uint8_t { kLight, kFresh };

class LpFtrl {
 public:
  LpFtrl(Index dimension, LpShape ball, LpStep step = LpStep::kLight);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round, const Memo&) { outstanding_ -= 1; }
  bool revises() const { return step_ == LpStep::kLight; }  // a fresh gradient's point is not kept
  void settle(Round t, const Feedback& feedback, Memo& memo);
  void revise(const Revision& revision, Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return sum_.dimension(); }

 private:
  double factor() const;  // x = factor · power of ĝ
  void count_lateness(const Feedback& feedback, const Memo& memo);

  LpShape ball_;
  LpStep step_;
  double q_;
  PowerSum sum_;  // ĝ
  double n_ = 0, s_ = 0;
  double outstanding_ = 0;
  Lateness lateness_;     // of kFresh
  bool by_loss_ = false;  // whether kFresh has taken a known loss where it stood
};

static_assert(Learner<LpFtrl>);

}  // namespace tarry
