// A learner over learners: plays the weighted mean of its bases' decisions and learns the weights from delayed losses
// without a step size (DORM+, after Flaspohler et al. 2021; docs/theory.md). Where the loss is known each base gets the
// gradient at its own prediction, otherwise the one at the played point; both keep the sum of the two regrets.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "tarry/learners/any_learner.h"

namespace tarry {

struct LearnerEntry;

class Hedge {
 public:
  Hedge(std::vector<AnyLearner> bases, Index dimension);

  double play(Round t, const Covector* features, Memo& memo);
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::size_t instances() const;
  const Vec& weights() const { return weights_; }

 private:
  // The bases' decisions, for rounds played without features.
  struct Version {
    Vec weights;
    std::vector<Vec> decisions;
  };

  void weigh();
  void learn(const Vec& base_losses, double own_loss);
  std::vector<Memo> base_memos(const Memo& memo, std::size_t at) const;

  std::vector<AnyLearner> bases_;
  Index dimension_;
  double power_;  // q − 1
  Vec lead_;      // Q: how much each base would have saved, never below 0
  Vec weights_;   // of the last play
  std::uint64_t played_ = 0;
  std::map<std::uint64_t, Version> versions_;  // by round
};

static_assert(Learner<Hedge>);

LearnerEntry hedge_entry();

}  // namespace tarry
