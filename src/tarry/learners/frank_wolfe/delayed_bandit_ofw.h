// Delayed bandit Frank-Wolfe: of a round only the value f_t(x_t) comes, late. After Garber and Kretzu (2020), who have
// no delays, and Wan et al. (2024), whose blocks keep delays from multiplying the noise of one-point estimates.
//
// With c + rB inside K, ξ = δ/r, blocks of b rounds and u_t uniform on the unit sphere:
//   play:           x_t = c + (1 − ξ)(y_m − c) + δ u_t, y_m what y was when block m began
//   value v of t:   ĝ_m += (n/δ)(v − v₀) u_t, v₀ the middle of the values' range
//   block m whole:  F += η⟨ĝ_m, ·⟩; Frank-Wolfe steps on F(y) = η⟨Σĝ, y⟩ + ‖y − y₁‖² until its gap is at most ε
//
// With a second probe, x'_t = c + (1 − ξ)(y_m − c) − δ u_t, and its value v':  ĝ_m += (n/2δ)(v − v') u_t, which needs
// no range of values and has no noise that grows as δ shrinks.
//
// The theorems, and what they ask: docs/theory.md, 19 and 19.1.
#pragma once

#include <map>
#include <optional>

#include "tarry/learners/learner.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/bandit.h"
#include "tarry/theory/seen.h"

namespace tarry {

struct LearnerEntry;

struct BanditOptions {
  double low = 0, high = 1;  // of the values
  theory::BanditPlan plan;
  std::uint64_t seed = 0;
};

class DelayedBanditOfw {
 public:
  DelayedBanditOfw(AnySet set, Inscribed inside, BanditOptions options);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return features.dot(x_); }
  void write(std::span<double> x) const;
  // A label gives its loss's value at the prediction, a gradient that of its linear loss.
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void receive_loss(Round t, double value, const Memo& memo);
  void receive_losses(Round t, double value, double at_probe, const Memo& memo);
  bool probes() const { return options_.plan.two_points; }
  Vec probe() const { return probe_; }
  void abandon(Round t, const Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // In expectation, against losses and delays that do not depend on its draws.
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return set_.dimension(); }
  bool tells_classes() const { return true; }

 private:
  struct Block {
    Vec y;        // where it looks around
    Vec sum;      // ĝ so far
    double open;  // rounds that wait
    bool whole;   // no more rounds will be played in it
  };

  Vec drawn(std::uint64_t round) const;  // u
  Vec played_at(const Block& block, const Vec& u) const;
  std::map<std::uint64_t, Block>::iterator block_of(const Memo& memo);
  void add(std::map<std::uint64_t, Block>::iterator block, const Memo& memo, double scale);
  double value_at(const Feedback& feedback, const Vec& x) const;
  void close_if_done(std::map<std::uint64_t, Block>::iterator block);
  void descend();

  AnySet set_;
  Shape shape_;
  Inscribed inside_;
  BanditOptions options_;

  std::uint64_t played_ = 0, blocks_ = 0, in_block_ = 0;
  double outstanding_ = 0;  // Σ over blocks of those that waited when they began
  double abandoned_ = 0;
  bool kept_promises_ = true;  // every value lay in its range, and every search ended at its gap
  std::map<std::uint64_t, Block> open_;
  Vec sum_;    // Σ ĝ of whole blocks
  Vec y_, x_;  // y₁ is inside_.centre
  Vec probe_;  // x', where there is one
};

static_assert(Learner<DelayedBanditOfw>);

LearnerEntry delayed_bandit_ofw_entry();

}  // namespace tarry
