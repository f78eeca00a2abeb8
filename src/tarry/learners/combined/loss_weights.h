// The weights of bases by what each has lost, exponentially: those of Bayes' rule where losses are minus logarithms, as
// of a probability or of wealth. A round without a label counts by what its being open says (waiting.h), which its
// label replaces (docs/theory.md, 12.1 and 12.2).
#pragma once

#include <optional>
#include <span>

#include "tarry/learners/combined/tree_trial.h"
#include "tarry/learners/combined/waiting.h"
#include "tarry/learners/combined/waiting_numbers.h"
#include "tarry/learners/learner.h"

namespace tarry {

// The last of the bases have no weight while few of the rounds have their labels: what comes first may be of one kind,
// and who fits it best would be believed. Behind them are those that forget, which sleep until nearly all have one:
// where labels come late, nobody can follow what changes. Or those that come with trees (treed_bases.h): the mean of
// all others, and those that go some way from there to the trees. The others are weighed as if there were none of
// these.
struct Sleepers {
  std::size_t wide = 0, trees = 0, forgetting = 0;
};

class LossWeights {
 public:
  // `caution`: of Bayes' rule, how much is believed.
  // Of `numbers` one learns where labels are no classes but the loss is a squared error.
  LossWeights(Vec prior, double caution, Waiting waiting, std::optional<Waiting> until_due = std::nullopt,
              bool numbers = false, Sleepers sleepers = {});

  const Vec& weigh();  // of the next play
  const Vec& weights() const { return weights_; }
  // The same without trees, and whether these may have a weight.
  const Vec& weights_of_others() const { return of_others_; }
  bool trees_awake() const { return trees_awake_; }

  void play(double prediction);
  // The round played last has a due time: its age counts by that.
  void dated(double prediction);
  // A label of a round that was predicted so.
  void came(Round t, const Feedback& feedback, double prediction);
  // What the bases and their mean lost in the round told last.
  void learn(std::span<const double> base_losses, double own_loss, double);
  // The same for one that takes the place of another.
  void came_otherwise(const Revision& revision, double prediction);
  double most_that_counts() const;  // of the next loss
  // Adds to what each base is judged by, for a round whose target moved.
  void judge_again(std::size_t i, double more) { judged_[i] += more; }
  // A round that stays open has moved by this probability.
  void count_move(double by) {
    ++moves_;
    moved_ += by;
  }
  // One more open round has a target that has moved so far, or one less: a probability, or a difference of labels.
  void count_open(double rounds, double far) {
    open_moved_ = std::max(0.0, open_moved_ + rounds);
    open_far_ = open_moved_ > 0 ? std::max(0.0, open_far_ + far) : 0;
  }
  // A round has no label and will have none; how far its target had moved is not known.
  void gone(Round t, bool moved) {
    trial_.gone(t);
    if (moved) count_open(-1, -open_far_ / std::max(1.0, open_moved_));
  }
  double spread() const { return 0; }

  // What own losses exceed those of base i by, over the rounds learnt from: no bound, the sum itself.
  double regret(std::size_t i) const { return own_ - lost_[i] + rounding_; }
  BelievedWaits told() const;

  // What being open says of a round's label: class by class, or as an OpenNumber.
  bool looks_again() const { return waiting_.classes() > 1 || numbers_.on(); }
  static std::size_t says_size(const AnyLoss& loss) { return loss.classes() > 0 ? loss.classes() : OpenNumber::kSize; }
  bool came_of_age(const Open& open);  // whether that says something
  Vec says(const Open& open, const AnyLoss& loss) const;
  // Whether it says something else than `before`, which may be empty: enough to learn from.
  bool moves(const Vec& says, std::span<const double> before, const KnownLoss& loss,
             std::span<const double> mean) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  enum class Kind { kLogarithm, kError, kLinear };  // of the loss told last
  double least_of_others() const;
  double rate(double least) const;
  bool asleep(std::size_t i) const;
  bool trees_sleep() const;
  std::size_t others() const { return prior_.size() - sleepers_.trees; }
  void weigh_trees();
  void compare_trees(std::span<const double> losses);
  void begin_without_trees();
  void load_trees(ByteReader& in, bool ages);

  Vec prior_;
  double caution_;
  Sleepers sleepers_;
  Vec judged_;       // Σ of each base's losses under the present targets, none far above the best's mean
  double told_ = 0;  // labels
  Vec lost_;         // Σ of each base's losses
  Vec weights_;
  Vec believed_;  // beforehand, of those that count in the next play: its memory is used again
  double own_ = 0, rounding_ = 0;
  double squares_ = 0;            // Σ of the squared spreads of linear losses
  double moves_ = 0, moved_ = 0;  // of targets of open rounds: how many, and the sum of their sizes; told to people
  Vec of_others_;                 // weights, where there are trees
  double open_moved_ = 0, open_far_ = 0;  // open rounds whose targets have moved, and how far in all
  bool trees_awake_ = false;
  TreeTrial trial_;
  Round told_last_ = 0;
  Kind kind_ = Kind::kLogarithm;
  Waiting waiting_;
  Waiting until_due_;  // of the rounds that have a due time
  WaitingNumbers numbers_;
};

// What such predictions lose on an open round, given what being open says, beside the mean's.
double lost_while_open(const KnownLoss& loss, std::span<const double> predictions, std::span<const double> mean,
                       std::span<const double> says);

}  // namespace tarry
