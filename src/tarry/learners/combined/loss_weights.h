// The weights of bases by what each has lost, exponentially: those of Bayes' rule where losses are minus logarithms, as
// of a probability or of wealth. A round without a label counts by what its being open says (waiting.h), which its
// label replaces (docs/theory.md, 12.1 and 12.2).
#pragma once

#include <optional>
#include <span>

#include "tarry/learners/combined/waiting.h"
#include "tarry/learners/combined/waiting_numbers.h"
#include "tarry/learners/learner.h"

namespace tarry {

// The last of the bases have no weight while few of the rounds have their labels: what comes first may be of one kind,
// and who fits it best would be believed. Behind them are those that come with trees, which sleep until most rounds
// have one, or those that forget, which sleep until nearly all have: where labels come late, nobody can follow what
// changes.
struct Sleepers {
  std::size_t wide = 0, trees = 0, forgetting = 0;
};

class LossWeights {
 public:
  // `caution`: of Bayes' rule, how much is believed.
  // Of `numbers` one learns where labels are no classes but the loss is a squared error.
  LossWeights(Vec prior, double caution, Waiting waiting, std::optional<Waiting> until_due = std::nullopt,
              bool numbers = false, Sleepers sleepers = {});
  static constexpr double kMost = 0.8;  // the share of rounds whose labels have come from which on trees count

  const Vec& weigh();  // of the next play
  const Vec& weights() const { return weights_; }

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
  double rate() const;
  bool asleep(std::size_t i) const;
  void compare_trees();

  Vec prior_;
  double caution_;
  Sleepers sleepers_;
  Vec judged_;       // Σ of each base's losses under the present targets, none far above the best's mean
  double told_ = 0;  // labels
  Vec lost_;         // Σ of each base's losses
  Vec weights_;
  double own_ = 0, rounding_ = 0;
  double squares_ = 0;            // Σ of the squared spreads of linear losses
  double moves_ = 0, moved_ = 0;  // of targets of open rounds: how many, and the sum of their sizes; told to people
  Kind kind_ = Kind::kLogarithm;
  Waiting waiting_;
  Waiting until_due_;  // of the rounds that have a due time
  WaitingNumbers numbers_;
};

// What such predictions lose on an open round, given what being open says, beside the mean's.
double lost_while_open(const KnownLoss& loss, std::span<const double> predictions, std::span<const double> mean,
                       std::span<const double> says);

}  // namespace tarry
