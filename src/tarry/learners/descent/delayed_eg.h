// Exponentiated gradient (Kivinen, Warmuth 1997) on a simplex of radius r, each gradient applied when it arrives:
// follow the regularised leader with the entropy. docs/theory.md, section 7.6.
//
//   x_i = r e^{−ĝ_i/λ} / Σ_j e^{−ĝ_j/λ},   ĝ the sum of the gradients received
#pragma once

#include <optional>

#include "tarry/learners/learner.h"
#include "tarry/theory/seen.h"

namespace tarry {

struct LearnerEntry;

class DelayedEg {
 public:
  // `eta`: 1/λ; nothing: λ = √(8Ĝ²Q/ln n), Ĝ the largest half spread ½(max g − min g) received, Q = Σ (o_t + ½).
  DelayedEg(Index dimension, double radius, std::optional<double> eta);

  double play(Round, const Covector* features, Memo&);
  double predict(const Covector& features) const { return features.dot(x_); }
  void write(std::span<double> x) const;
  void receive(Round, const Feedback& feedback, const Memo&);
  void abandon(Round, const Memo&) { outstanding_ -= 1; }
  bool revises() const { return true; }
  bool sums_gradients() const { return true; }
  void revise(const Revision& revision, Memo&);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return static_cast<Index>(sum_.size()); }

 private:
  double lambda() const;
  void decide();

  double radius_;
  std::optional<double> eta_;

  Vec sum_;  // ĝ
  Vec x_;
  double outstanding_ = 0;
  double weighted_outstanding_ = 0;  // Q
  double largest_ = 0, first_ = 0;   // Ĝ, and the first half spread that was not 0
};

static_assert(Learner<DelayedEg>);

LearnerEntry delayed_eg_entry();

}  // namespace tarry
