// Delayed OFW for convex losses: the paper's Algorithm 1.
#pragma once

#include "tarry/base/within.h"
#include "tarry/learners/frank_wolfe/frank_wolfe.h"
#include "tarry/sets/any_set.h"

namespace tarry {

struct LearnerEntry;

// c = η ḡ + 2 (y − y₁): p = η ḡ − 2 y₁, b = 2.
class OfwRule {
 public:
  explicit OfwRule(double eta, Index batch = 1);

  static constexpr bool kAnyGradients = true;  // the theorem does not ask where they were taken
  double p_over_y() const { return -2; }
  Index batch() const { return batch_; }
  Sweep next() { return {.a = eta_, .gamma = 0, .b = 2}; }
  Sweep again() const { return {.a = eta_, .gamma = 0, .b = 2}; }
  void see(double norm) { largest_ = std::max(largest_, norm); }
  Allowance allowed(double diameter) const;
  void save(ByteWriter& out) const {
    out.f64(eta_);
    out.f64(largest_);
  }
  void load(ByteReader& in) {
    eta_ = checked_step(in.f64());
    largest_ = in.size();
  }

  // Where a search for singular pairs may fail (`inexact`) the gap may be half as large again (docs/matrices.md).
  template <DecisionSet K>
  std::optional<double> bound(const theory::Seen& seen, const K& set, bool inexact) const {
    const theory::Scene scene = scene_of(seen, set);
    if (batch_ > 1 || inexact) return theory::ofw_batched(scene, eta_, static_cast<double>(batch_), inexact ? 3 : 2);
    return theory::ofw_with_eta(scene, eta_, set_convexity(set));
  }

 private:
  double eta_;
  Index batch_;
  double largest_ = 0;  // gradient so far, where the oracle is inexact
};

template <DecisionSet K>
using DelayedOfw = FrankWolfe<K, OfwRule>;

static_assert(Learner<DelayedOfw<AnySet>>);

LearnerEntry delayed_ofw_entry();

}  // namespace tarry
