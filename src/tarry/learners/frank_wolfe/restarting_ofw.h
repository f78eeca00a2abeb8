// Algorithm 1 without a horizon, or without a gradient bound: epochs, each a fresh Algorithm 1 that starts where the
// last one ended and ignores feedback for older epochs' rounds. Not in the paper; docs/theory.md has the proofs.
#pragma once

#include <optional>

#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/kept_memo.h"
#include "tarry/sets/any_set.h"

namespace tarry {

// The part that both share: the current epoch, and which rounds belong to it (their memo says so).
class OfwEpochs {
 public:
  OfwEpochs(AnySet set, double eta, const Shape& shape, const Effort& effort);

  void restart(double eta);
  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return ofw_.predict(features); }
  bool is_current(const Memo& memo) const { return kept_number(memo, 0) == static_cast<double>(epoch_); }
  void receive(Round t, const Feedback& feedback, const Memo& memo) { ofw_.receive(t, feedback, memo); }
  void write(std::span<double> x) const { ofw_.write(x); }
  bool samples() const { return ofw_.samples(); }
  Atom sample() const { return ofw_.sample(); }
  const AnySet& set() const { return set_; }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  AnySet set_;
  std::uint64_t epoch_ = 0;
  DelayedOfw<AnySet> ofw_;
};

// horizon = "unknown": a budget for m^{3/2} + Σo of an epoch, four times larger in the next.
class AnytimeOfw {
 public:
  AnytimeOfw(AnySet set, double gradient_bound, const Shape& shape, const Effort& effort);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const { return epochs_.predict(features); }
  void write(std::span<double> x) const { epochs_.write(x); }
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return epochs_.set().dimension(); }
  bool sums_gradients() const { return true; }
  bool samples() const { return epochs_.samples(); }
  Atom sample() const { return epochs_.sample(); }

 private:
  double eta() const;

  double gradient_bound_;
  double diameter_;
  double budget_ = 1;
  double rounds_ = 0;           // m, of this epoch
  double outstanding_ = 0;      // this epoch's
  double sum_outstanding_ = 0;  // Σ o'
  OfwEpochs epochs_;
};

// gradient_bound = "unknown": doubled, with a restart, when a gradient exceeds it.
class ScalingOfw {
 public:
  ScalingOfw(AnySet set, double horizon, const Shape& shape, const Effort& effort);

  double play(Round t, const Covector* features, Memo& memo) { return epochs_.play(t, features, memo); }
  double predict(const Covector& features) const { return epochs_.predict(features); }
  void write(std::span<double> x) const { epochs_.write(x); }
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round, const Memo&) {}
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return epochs_.set().dimension(); }
  bool sums_gradients() const { return true; }
  bool samples() const { return epochs_.samples(); }
  Atom sample() const { return epochs_.sample(); }

 private:
  double horizon_;
  double gradient_bound_ = 0;  // Ĝ; 0 until the first gradient
  double first_norm_ = 0;      // G₀
  OfwEpochs epochs_;
};

static_assert(Learner<AnytimeOfw> && Learner<ScalingOfw>);

}  // namespace tarry
