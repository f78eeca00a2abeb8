// Delayed OSPF for smooth losses: the paper's Algorithm 3. A block of B rounds plays
//   x = (1/B) Σ_j LMO(ĝ − v_j/δ),   v_j uniform in the unit ball,
// ĝ the sum of the gradients received before the block.
//
// Differs from the paper: for linear losses blocks are of one round, which is following the perturbed leader. Every
// decision is a vertex, and costs one oracle call (docs/theory.md, 6.1). B is T^{1/3} rounded, at least 1, unless it is
// given, and a last, short block still draws B samples.
#pragma once

#include <optional>
#include <vector>

#include "tarry/learners/learner.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

struct LearnerEntry;

enum class OspfSetting : std::uint8_t { kPaper, kRetuned, kLinear };

struct OspfOptions {
  double delta;         // 0, with kLinear alone: from the gradient bound and the rounds outstanding so far
  std::uint64_t block;  // B
  std::uint64_t seed = 0;
  double horizon = 0;  // T and G that delta and block were chosen for; 0 when they were given
  double gradient_bound = 0;
  OspfSetting setting = OspfSetting::kPaper;
  std::vector<std::vector<Vec>> perturbations = {};  // [block][sample]: replaces the draws where given
};

class DelayedOspf {
 public:
  DelayedOspf(AnySet set, OspfOptions options);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return features.dot(x_); }
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round, const Memo&) { outstanding_ -= 1; }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // For losses that are linear (α = 0); in expectation, against an oblivious adversary. With kLinear the adversary may
  // know all draws but the one of its round.
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return set_.dimension(); }
  // With kLinear: what it plays is a vertex already.
  bool samples() const { return is_linear(); }
  Atom sample() const { return {as_sparse({DenseAtom{x_}}, dimension())}; }

 private:
  bool is_linear() const { return options_.setting == OspfSetting::kLinear; }
  double delta() const;
  double bound_when_linear(const theory::Seen& seen) const;
  void decide();
  Atom vertex(std::uint64_t j, std::vector<float>& z) const;

  AnySet set_;
  Shape shape_;
  OspfOptions options_;
  std::uint64_t played_ = 0;
  double outstanding_ = 0;
  double weighted_outstanding_ = 0;  // Σ (o_t + ½), for kLinear
  Vec sum_;                          // ĝ
  Vec x_;
};

static_assert(Learner<DelayedOspf>);

LearnerEntry delayed_ospf_entry();

}  // namespace tarry
