// Delayed online gradient descent without projections, by separation or by linear oracles. The steps of Garber and
// Kretzu (2022), made when gradients arrive; docs/theory.md, section 20, has the theorem under delay.
//
//   at every B-th arrival:  w ← P(w − η Σ of the last B gradients),   P one of infeasible_projection.h;
//   play                    w itself (separation), or the point of K beside it (linear)
#pragma once

#include <optional>

#include "tarry/learners/learner.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

struct LearnerEntry;

struct InfeasibleOptions {
  double eta;
  double slack;             // ρ/D: how much the set is shrunk by, or how close the feasible point must come
  std::uint64_t batch = 1;  // B
  bool linear = false;      // by linear oracles; else by separation
};

class InfeasibleOgd {
 public:
  InfeasibleOgd(AnySet set, const InfeasibleOptions& options, Vec start);

  double play(Round, const Covector* features, Memo&) { return features != nullptr ? predict(*features) : 0; }
  double predict(const Covector& features) const { return features.dot(decision()); }
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round, const Memo&) {}
  bool sums_gradients() const { return true; }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return static_cast<Index>(w_.size()); }

 private:
  const Vec& decision() const { return options_.linear ? beside_ : w_; }
  void step();

  AnySet set_;
  InfeasibleOptions options_;
  double diameter_;
  Vec centre_;   // of the set, for separation
  Vec w_;        // where descent is now
  Vec beside_;   // for linear oracles: the point of K beside it
  Vec arrived_;  // Σ of the gradients since the last step
  std::uint64_t arrivals_ = 0;
  bool gave_up_ = false;  // a projection did not end: nothing is certain any more
};

static_assert(Learner<InfeasibleOgd>);

LearnerEntry infeasible_ogd_entry();

}  // namespace tarry
