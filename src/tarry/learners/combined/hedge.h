// A learner over learners: plays the weighted mean of its bases' decisions and learns the weights from delayed losses
// without a step size (DORM+, after Flaspohler et al. 2021; docs/theory.md). Where the loss is known, bases are judged
// by what their own predictions cost, otherwise by the gradient at the played point; both keep the sum of the two
// regrets.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "tarry/learners/bases.h"
#include "tarry/learners/believed_waits.h"
#include "tarry/learners/combined/dorm.h"
#include "tarry/learners/kept_memo.h"
#include "tarry/learners/learner.h"
#include "tarry/learners/versions.h"
#include "tarry/theory/seen.h"

namespace tarry {

// How the bases are weighed: by Dorm, or by LossWeights, which also knows what it says of a round that it is open.
template <class W>
concept KnowsWaiting = requires(W w, std::size_t i) {
  w.looks_again();
  w.judge_again(i, 1.0);
};

// Bases that want a row back as it came, with its label: an even count of numbers behind the predictions, the first of
// which says how many more there are. What a target adds behind them is odd.
template <class B>
concept KeepsRows = requires { B::kKeepsRows; };

// Bases that know how they are weighed: some of them follow the others.
template <class B>
concept FollowsWeights = requires(B b, const Vec& weights) { b.follow(weights, true); };

// Bases without those that are not linear in the features.
template <class B>
concept LinearInPart = requires(const B b, const Covector& features, std::span<double> predictions) {
  b.predict_linear(features, predictions);
};

template <HedgeBases Bases, class Weights = Dorm>
class Hedge {
 public:
  // Without the set's diameter there is no certificate.
  Hedge(Bases bases, Index dimension, std::optional<double> diameter = std::nullopt)
    requires(std::constructible_from<Weights, std::size_t>)
      : bases_(std::move(bases)),
        dimension_(dimension),
        diameter_(diameter),
        weights_(bases_.size()),
        losses_(bases_.size()),
        predictions_(bases_.size()) {}
  Hedge(Bases bases, Index dimension, std::optional<double> diameter, Weights weights)
      : bases_(std::move(bases)),
        dimension_(dimension),
        diameter_(diameter),
        weights_(std::move(weights)),
        losses_(bases_.size()),
        predictions_(bases_.size()) {}

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  double predict_linear(const Covector& features) const
    requires LinearInPart<Bases>;
  double doubt(const Covector& features) const
    requires requires(const Bases& b) { b.doubt(features); }
  {
    return bases_.doubt(features);
  }
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  std::size_t instances() const { return bases_.instances(); }
  Index dimension() const { return dimension_; }
  bool tells_classes() const { return bases_.tells_classes(); }
  // Rounds that stay open (learner.h).
  bool looks_again() const
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
  {
    return weights_.looks_again();
  }
  bool comes_of_age(const Open& open)
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>);
  void move(const Open& open, const KnownLoss& loss, Memo& memo)
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>);
  void withdraw(const KnownLoss& loss, Memo& memo)
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>);
  // Labels that take the place of others (learner.h).
  bool revises() const
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
  {
    return true;
  }
  void settle(Round t, const Feedback& feedback, Memo& memo)
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>);
  void revise(const Revision& revision, Memo& memo)
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>);
  void play_instead(const Covector& features, Memo& memo) const
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>);
  void dated(const Memo& memo)
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
  {
    weights_.dated(shown(memo));
  }
  std::optional<BelievedWaits> waits() const
    requires(KnowsWaiting<Weights> && MovesTargets<Bases>)
  {
    return looks_again() ? std::optional(weights_.told()) : std::nullopt;
  }
  const Vec& weights() const { return weights_.weights(); }

 private:
  // The bases' decisions, for rounds played without features.
  struct Version {
    Vec weights;
    std::vector<Vec> decisions;
    double spread = 0;  // that of the weights at play
    bool operator==(const Version&) const = default;
  };
  // A memo begins with (0, version), or (outputs, the weights' spread, the mean's predictions, each base's): the
  // version or the numbers that say what was played. Then comes what the bases keep or, where targets move and this
  // round's has, what being open said, class by class, and what the round has contributed, as the predictions. Of a
  // label that may be revised: what the round has contributed, and the loss that each base is judged by.
  static std::size_t outputs(const Memo& memo) { return kept_count(memo, 0); }
  std::span<const double> mean(const Memo& memo) const { return std::span(memo).subspan(2, outputs(memo)); }
  std::span<const double> predictions(const Memo& memo) const {  // base by base; none without features
    return std::span(memo).subspan(2 + outputs(memo), outputs(memo) * bases_.size());
  }
  std::size_t predicted_size(const Memo& memo) const { return 2 + outputs(memo) * (1 + bases_.size()); }
  std::size_t played_size(const Memo& memo) const;  // with the row, where that is kept
  std::span<const double> kept(const Memo& memo) const { return std::span(memo).subspan(played_size(memo)); }
  std::span<const double> kept_for_bases(const Memo& memo) const {
    if constexpr (!KeepsRows<Bases>) return kept(memo);
    return std::span(memo).subspan(predicted_size(memo), played_size(memo) - predicted_size(memo));
  }
  void remember_predictions(const Covector& features, Memo& memo) const;
  void check(const Memo& memo) const;
  void check(const Memo& memo, const Feedback& feedback) const;
  void keep_version(std::size_t size, Memo& memo);
  double judge_by(const KnownLoss& known, std::span<const double> of_bases, std::span<const double> of_mean);
  struct Contribution {
    Vec given, losses;
  };
  void receive_with_features(Round t, const Feedback& feedback, const Memo& memo, Contribution* kept = nullptr);
  void keep(const Contribution& contribution, Memo& memo) const;
  Vec as_counted() const;
  void receive_without(Round t, const Feedback& feedback, const Memo& memo);
  double shown(const Memo& memo) const;  // the margin, or the likeliest of several outputs
  struct Target {
    Vec says, given;
    bool says_anything() const {
      return std::any_of(says.begin(), says.end(), [](double x) { return x != 0; });
    }
  };
  void count_open(double sign, const Target& target, const KnownLoss& loss, const Memo& memo);
  bool may_move(const Memo& memo, const KnownLoss& loss) const;
  std::optional<Target> target(const Memo& memo, const AnyLoss& loss) const;
  void move_to(const Vec& says, const KnownLoss& loss, Memo& memo);
  double size_of_move(const AnyLoss& loss, const Memo& memo, const Vec& from, const Vec& to) const;
  std::optional<double> least_bound(const theory::Seen& seen) const;

  Bases bases_;
  Index dimension_;
  std::optional<double> diameter_;
  Weights weights_;
  std::uint64_t played_ = 0;
  std::uint64_t outstanding_ = 0;
  double unjudged_ = 0;         // Σ‖g‖ of the gradients that say nothing about the predictions
  bool by_loss_ = false;        // whether a loss has been known
  std::size_t memo_size_ = 0;   // of the round played last, before its target moves
  Versions<Version> versions_;  // by the first round that played it
  Vec losses_;                  // of the bases, for one piece of feedback
  Vec predictions_;             // of the bases, for one play
};

struct LearnerEntry;
LearnerEntry hedge_entry();

}  // namespace tarry
