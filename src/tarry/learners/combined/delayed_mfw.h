// Delayed Meta-Frank-Wolfe (after Chen et al. 2018; with delays Nguyen, Thang, Trystram 2024): L Frank-Wolfe steps a
// round, whose vertices come from L copies of an online learner for linear losses. In round t
//   x_{t,1} = x₁,   x_{t,k+1} = (1 − η_k) x_{t,k} + η_k v_{t,k},   η_k = 2/(k + 1),   x_t = x_{t,L+1}
// with v_{t,k} what copy k plays; when the loss f_t is known, copy k gets ∇f_t(x_{t,k}).
//
// As η_1 = 1, x_t = Σ_k w_k v_{t,k} with w_k = 2k/(L(L + 1)).
//
// Differs from the papers: each copy learns late gradients itself, the curvature's part of the bound is measured
// instead of assumed (docs/theory.md, 18), and gradients alone will do, which all copies then share.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tarry/learners/any_learner.h"
#include "tarry/learners/versions.h"
#include "tarry/sets/any_set.h"

namespace tarry {

struct LearnerEntry;

class DelayedMfw {
 public:
  // `draws`: whether the copies draw. `most_rounds`: how many they can play; 0: any number.
  struct Copies {
    std::vector<AnyLearner> learners;
    bool draws = false;
    std::uint64_t most_rounds = 0;
  };
  DelayedMfw(const AnySet& set, Vec start, Copies copies);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // Over the answered rounds; one that waits costs at most GD. Where the copies draw, in expectation.
  std::optional<double> bound(const theory::Seen& seen) const;
  std::size_t instances() const { return copies_.learners.size(); }
  Index dimension() const { return dimension_; }

 private:
  std::size_t calls() const { return copies_.learners.size(); }
  double step(std::size_t k) const { return 2 / static_cast<double>(k + 2); }  // η of copy k, counted from 0
  double weight(std::size_t k) const;                                          // w of copy k
  void keep_version(std::size_t size, Memo& memo);
  void check(const Memo& memo, const Feedback* feedback) const;
  std::vector<Memo> kept_of_copies(const Memo& memo) const;
  Vec predictions_of_copies(const KnownLoss& known, const Memo& memo) const;
  bool learn_by_loss(Round t, const KnownLoss& known, const Vec& predictions, const std::vector<Memo>& kept);
  void tell(std::size_t k, Round t, const Feedback& feedback, const Memo& kept);

  Index dimension_;
  double diameter_;
  Vec start_;  // x₁
  Copies copies_;
  std::uint64_t played_ = 0, outstanding_ = 0;
  double curved_ = 0;                    // Σ of what straight lines miss of the losses: E of docs/theory.md, 18
  Vec largest_;                          // gradient that each copy received
  bool by_loss_ = false;                 // whether a loss was asked elsewhere than at the played point
  bool spoilt_ = false;                  // whether copies that draw were told a gradient that depends on their draw
  Versions<std::vector<Vec>> versions_;  // what the copies played in rounds without features
};

static_assert(Learner<DelayedMfw>);

LearnerEntry delayed_mfw_entry();

}  // namespace tarry
