// A learner over learners: plays the weighted mean of its bases' decisions and learns the weights from delayed losses
// without a step size (DORM+, after Flaspohler et al. 2021; docs/theory.md). Where the loss is known, bases are judged
// by what their own predictions cost, otherwise by the gradient at the played point; both keep the sum of the two
// regrets.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tarry/learners/learner.h"

namespace tarry {

// The learners under a hedge, taken together so that they may share work.
template <class B>
concept HedgeBases = requires(B b, const B k, Round t, const Covector* features, std::span<double> predictions,
                              std::span<const double> kept, Memo& memo, const Feedback& feedback, std::size_t i,
                              std::span<double> x, ByteWriter& out, ByteReader& in) {
  { k.size() } -> std::same_as<std::size_t>;
  // With features, each base's prediction; what they keep goes to the memo's end.
  b.play(t, features, predictions, memo);
  k.predict(*features, predictions);   // the same for any features, where they stand
  k.write(i, x);                       // base i's decision
  b.receive(t, feedback, kept, kept);  // the predictions at play (none without features), what they kept
  b.abandon(t, kept);
  k.save(out);
  b.load(in);
  { k.instances() } -> std::same_as<std::size_t>;
  { k.tells_classes() } -> std::same_as<bool>;
};

// The weights: one lead for each base.
class Dorm {
 public:
  explicit Dorm(std::size_t bases);

  const Vec& weigh();  // of the next play
  const Vec& weights() const { return weights_; }
  void learn(std::span<const double> base_losses, double own_loss);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  double power_;  // q − 1
  Vec lead_;      // Q: how much each base would have saved, never below 0
  Vec weights_;
};

template <HedgeBases Bases>
class Hedge {
 public:
  Hedge(Bases bases, Index dimension)
      : bases_(std::move(bases)),
        dimension_(dimension),
        dorm_(bases_.size()),
        losses_(bases_.size()),
        predictions_(bases_.size()) {}

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::size_t instances() const { return bases_.instances(); }
  bool tells_classes() const { return bases_.tells_classes(); }
  const Vec& weights() const { return dorm_.weights(); }

 private:
  // The bases' decisions, for rounds played without features.
  struct Version {
    Vec weights;
    std::vector<Vec> decisions;
  };
  // A memo begins with (0, version), or (outputs, the mean's predictions, each base's): the version or the numbers that
  // say what was played. Then comes what the bases keep.
  static std::size_t outputs(const Memo& memo) { return static_cast<std::size_t>(memo.at(0)); }
  std::span<const double> mean(const Memo& memo) const { return std::span(memo).subspan(1, outputs(memo)); }
  std::span<const double> predictions(const Memo& memo) const {  // base by base; none without features
    return std::span(memo).subspan(1 + outputs(memo), outputs(memo) * bases_.size());
  }
  std::span<const double> kept(const Memo& memo) const {
    const std::size_t k = outputs(memo);
    return std::span(memo).subspan(k > 0 ? 1 + k * (1 + bases_.size()) : 2);
  }
  void remember_predictions(const Covector& features, Memo& memo) const;
  double judge(const Feedback& feedback, const Memo& memo);
  double judge_by(const KnownLoss& known, std::span<const double> of_bases, std::span<const double> of_mean);

  Bases bases_;
  Index dimension_;
  Dorm dorm_;
  std::uint64_t played_ = 0;
  std::map<std::uint64_t, Version> versions_;  // by round
  Vec losses_;                                 // of the bases, for one piece of feedback
  Vec predictions_;                            // of the bases, for one play
};

struct LearnerEntry;
LearnerEntry hedge_entry();

}  // namespace tarry
