// A learner for each block of a product: each sees its own part of the features and of the gradient, and the sum of
// their predictions is the prediction. Regret against any point of the product is at most the sum of the blocks'
// (docs/theory.md).
//
// Where the loss is known it can be told to take late feedback's gradient at the point where all blocks stand by then
// ("fresh") instead of the one that was played.
#pragma once

#include <vector>

#include "tarry/learners/any_learner.h"

namespace tarry {

struct LearnerEntry;

enum class GradientAt : std::uint8_t { kPlayed, kFresh };

class PerBlock {
 public:
  PerBlock(std::vector<AnyLearner> blocks, const std::vector<Index>& sizes, GradientAt at = GradientAt::kPlayed);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  std::size_t instances() const;
  Index dimension() const { return begin_.back(); }
  bool tells_classes() const { return false; }  // a block would see a part of each class's features

 private:
  // The blocks' predictions for one round's features.
  struct Predictions {
    std::span<const double> played, now;
  };
  Covector slice(const Covector& whole, std::size_t k) const { return whole.slice(begin_[k], begin_[k + 1]); }
  template <class T>
  std::span<T> part(std::span<T> x, std::size_t k) const {
    return x.subspan(static_cast<std::size_t>(begin_[k]), static_cast<std::size_t>(begin_[k + 1] - begin_[k]));
  }
  Vec predictions(const Covector& features) const;
  Vec played(const Feedback& feedback, const Memo& memo) const;
  KnownLoss own_loss(const KnownLoss& whole, std::size_t k, const Predictions& of) const;

  std::vector<AnyLearner> blocks_;
  std::vector<Index> begin_;  // block k is [begin_[k], begin_[k + 1])
  GradientAt at_;
};

static_assert(Learner<PerBlock>);

LearnerEntry per_block_entry();

}  // namespace tarry
