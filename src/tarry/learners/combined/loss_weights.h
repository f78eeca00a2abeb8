// The weights of bases by what each has lost, exponentially: those of Bayes' rule where losses are minus logarithms, as
// of a probability or of wealth. Labels count as LabelDelays says, so that the judgement is fair to classes whose
// labels come late (docs/theory.md, 12.1 and 12.2).
#pragma once

#include <optional>
#include <span>

#include "tarry/learners/combined/label_delays.h"
#include "tarry/learners/learner.h"

namespace tarry {

class LossWeights {
 public:
  // `by_class`: whether labels are weighed by how late their class comes.
  LossWeights(Vec prior, bool by_class);

  const Vec& weigh();  // of the next play
  const Vec& weights() const { return weights_; }

  void play(Round) { delays_.play(); }
  void abandon(Round t) { delays_.abandon(t); }
  // What the round's label counts.
  double importance(Round t, const Feedback& feedback);
  // What the bases and their mean lost in the round told last.
  void learn(std::span<const double> base_losses, double own_loss, double);
  double spread() const { return 0; }

  // What own losses exceed those of base i by, over the rounds learnt from: no bound, the sum itself.
  double regret(std::size_t i) const { return own_ - lost_[i] + rounding_; }
  const LabelDelays& delays() const { return delays_; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  enum class Kind { kLogarithm, kError, kLinear };  // of the loss told last
  double rate() const;
  double most_that_counts() const;

  Vec prior_;
  bool by_class_;
  Vec judged_;       // Σ of each base's losses, each times what its label counts, none far above the best's mean
  double told_ = 0;  // Σ of what labels count
  Vec lost_;         // Σ of each base's losses
  Vec weights_;
  double own_ = 0, rounding_ = 0;
  double squares_ = 0;            // Σ of the squared spreads of linear losses
  double mean_ = 0, labels_ = 0;  // of labels that are numbers
  double counts_ = 1;             // what the round told last counts
  Kind kind_ = Kind::kLogarithm;
  LabelDelays delays_;
};

}  // namespace tarry
