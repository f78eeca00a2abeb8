// GaugeFTRL: follow the regularised leader with half the squared gauge of a strongly convex set that contains 0. Not in
// the paper, whose open question on the rate it answers; closed form after Abernethy et al. (2018), curvature after
// Molinaro (2020).
//
//   v = LMO(ĝ),  h = −⟨ĝ, v⟩,  x = min(1, η h) v,   ĝ the sum of the gradients received
#pragma once

#include <optional>

#include "tarry/learners/learner.h"
#include "tarry/learners/versions.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

struct LearnerEntry;

// How η is found.
enum class GaugeStep : std::uint8_t {
  kFixed,     // η given
  kAnytime,   // from a gradient bound and the rounds outstanding so far
  kAdaptive,  // from the gradients and delays themselves
  kLight,     // the same with one number per outstanding round: looser, and no copies of ĝ
};

class GaugeFtrl {
 public:
  // `value`: η for kFixed, G for kAnytime, unused otherwise.
  GaugeFtrl(AnySet set, GaugeStep step, double value);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return factor_ * inner(vertex_, features); }
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  bool revises() const { return true; }
  bool sums_gradients() const { return true; }
  void settle(Round t, const Feedback& feedback, Memo& memo);
  void revise(const Revision& revision, Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return set_.dimension(); }

 private:
  double eta() const;     // 0: play the origin
  double lambda() const;  // Λ of the adaptive step
  void decide();
  void remember(Memo& memo);
  void forget(const Memo& memo);
  struct Scales {
    double b = 0, a = 0, late = 0;  // N − N_k, the round's part of A, and ‖ĝ − ĝ_k‖
  };
  Scales adapt(const Feedback& feedback, const Memo& memo);
  Scales learn(const Feedback& feedback, const Memo& memo);

  AnySet set_;
  Shape shape_;
  GaugeStep step_;
  double value_;
  double mu_;

  Vec sum_;  // ĝ
  std::uint64_t received_ = 0;
  double outstanding_ = 0;
  double weighted_outstanding_ = 0;       // Σ (o_t + ½)
  double n_ = 0, a_ = 0, s_ = 0, w_ = 0;  // N, A, S, W of docs/theory.md
  Versions<Vec> versions_;                // ĝ as outstanding rounds saw it, by the number of gradients received

  Atom vertex_;        // LMO(ĝ), valid while fresh_
  double height_ = 0;  // h
  bool fresh_ = false;
  double factor_ = 0;  // x = factor · vertex
};

static_assert(Learner<GaugeFtrl>);

LearnerEntry gauge_ftrl_entry();

}  // namespace tarry
