// A model is a set, a learner and a ledger; Model::apply is the one fold over events.
#pragma once

#include "tarry/learners/any_learner.h"
#include "tarry/ledger/ledger.h"
#include "tarry/model/event.h"
#include "tarry/sets/any_set.h"

namespace tarry {

class Model {
 public:
  Model(AnySet set, AnyLearner learner) : set_(std::move(set)), learner_(std::move(learner)) {}

  struct Outcome {
    Answer answer;
    Round round;  // the round played, or the one the feedback was for
  };

  // Throws Error{kBadInput} for a gradient that is not finite or does not fit the set: nothing has changed then.
  Outcome apply(const Event& event);

  // The decision of the last round played.
  void write(std::span<double> x) const { learner_.write(x); }

  const AnySet& set() const { return set_; }
  const Ledger& ledger() const { return ledger_; }

 private:
  Outcome play();
  Outcome receive(const Gradient& feedback);
  void check(const Covector& gradient) const;

  AnySet set_;
  AnyLearner learner_;
  Ledger ledger_;
};

}  // namespace tarry
