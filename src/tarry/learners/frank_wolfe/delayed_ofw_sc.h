// Delayed OFW for β-strongly convex losses: the paper's Algorithm 2.
#pragma once

#include "tarry/base/within.h"
#include "tarry/learners/frank_wolfe/frank_wolfe.h"
#include "tarry/sets/any_set.h"

namespace tarry {

struct LearnerEntry;

// c = ḡ + β (τ y − s), s the sum of the y's before each update: p = ḡ − β s, b = β τ.
class OfwScRule {
 public:
  explicit OfwScRule(double beta);

  double p_over_y() const { return 0; }
  Index batch() const { return 1; }
  Sweep next() { return {.a = 1, .gamma = -beta_, .b = beta_ * static_cast<double>(++tau_)}; }
  Sweep again() const { return {.a = 1, .gamma = 0, .b = beta_ * static_cast<double>(tau_)}; }
  void see(double norm) { largest_ = std::max(largest_, norm); }
  Allowance allowed(double diameter) const;
  void save(ByteWriter& out) const {
    out.f64(largest_);
    out.f64(beta_);
    out.u64(tau_);
  }
  void load(ByteReader& in) {
    largest_ = in.size();
    beta_ = checked_step(in.f64());
    tau_ = in.u64();
  }

  template <DecisionSet K>
  std::optional<double> bound(const theory::Seen& seen, const K& set, bool) const {
    // It needs gradients at its own points, of losses that are strongly convex.
    if (seen.hedged || seen.flat) return std::nullopt;
    const theory::Scene scene = scene_of(seen, set);
    const double general = theory::ofw_sc_general(scene, beta_);
    const auto curved = set_convexity(set);
    return curved ? std::min(general, theory::ofw_sc_strongly_convex_set(scene, beta_, *curved)) : general;
  }

 private:
  double beta_;
  std::uint64_t tau_ = 0;  // gradients received
  double largest_ = 0;     // of them so far, where the oracle is inexact
};

template <DecisionSet K>
using DelayedOfwSc = FrankWolfe<K, OfwScRule>;

static_assert(Learner<DelayedOfwSc<AnySet>>);

LearnerEntry delayed_ofw_sc_entry();

}  // namespace tarry
