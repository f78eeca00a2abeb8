// Delayed online gradient descent, with a projection: the baseline for sets that have a cheap one. All that arrived in
// a round makes one step, before the next play:  x ← Π(x − step · Σ g_k).
//
// With fresh gradients it is SGD as people use it: each label is learnt when it comes, at the weights of that moment,
// in units of the labels' deviation, and no step goes past the best prediction for its label. So it neither grows
// without bound where labels are large or rows are long, nor steps again and again for what it has learnt meanwhile.
#pragma once

#include <optional>

#include "tarry/base/within.h"
#include "tarry/learners/learner.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

struct LearnerEntry;

// The step of convex losses: always η.
class OgdStep {
 public:
  static constexpr bool kAnyGradients = true;  // the theorem does not ask where they were taken
  explicit OgdStep(double eta);
  double next(std::uint64_t) { return eta_; }
  double eta() const { return eta_; }
  void save(ByteWriter& out) const { out.f64(eta_); }
  void load(ByteReader& in) { eta_ = checked_step(in.f64()); }

 private:
  double eta_;
};

// The step of β-strongly convex losses: 1/h, h growing by β/2 for each arrival.
class OgdScStep {
 public:
  explicit OgdScStep(double beta);
  double next(std::uint64_t arrivals) {
    h_ += beta_ * static_cast<double>(arrivals) / 2;
    return 1 / h_;
  }
  void save(ByteWriter& out) const { out.f64(h_); }
  void load(ByteReader& in) { h_ = in.size(); }

 private:
  double beta_;
  double h_ = 0;
};

template <class Step>
class DelayedOgd {
 public:
  DelayedOgd(AnySet set, Step step, Vec start, bool fresh = false);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return features.dot(x_); }
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round, const Memo&) {}
  bool sums_gradients() const {
    return !fresh_ && requires { Step::kAnyGradients; };
  }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return static_cast<Index>(x_.size()); }

 private:
  void learn_now(const KnownLoss& known);

  AnySet set_;
  Step step_;
  bool fresh_;
  Vec x_;
  Vec arrived_;                 // Σ of the gradients since the last play
  std::uint64_t arrivals_ = 0;  // how many
};

static_assert(Learner<DelayedOgd<OgdStep>> && Learner<DelayedOgd<OgdScStep>>);

LearnerEntry delayed_ogd_entry();
LearnerEntry delayed_ogd_sc_entry();

}  // namespace tarry
