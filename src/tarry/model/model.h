// A model is a set, a learner, perhaps a loss, and the ledger of what is outstanding. Model::apply is the one fold over
// events: simulation, replay and service feed the same events into it.
#pragma once

#include <optional>

#include "tarry/features/standardiser.h"
#include "tarry/learners/any_learner.h"
#include "tarry/ledger/ledger.h"
#include "tarry/losses/loss.h"
#include "tarry/model/event.h"
#include "tarry/model/label_scale.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

class Model {
 public:
  Model(AnySet set, AnyLearner learner, std::optional<AnyLoss> loss = std::nullopt)
      : set_(std::move(set)), learner_(std::move(learner)), loss_(std::move(loss)) {
    if (loss_) check_classes();
  }

  // From now on features are standardised before the learner sees them and, for losses of the error alone, predictions
  // are made in units of the labels received. Throws where there is no loss, or rounds have been played.
  void standardise();

  struct Outcome {
    Answer answer;
    Round round;  // the round played, or the one the feedback was for
    double prediction =
        0;            // of that round, where there are features; of a loss over classes, the likeliest one, from 0
    double loss = 0;  // of that round, for a label that was applied
    Vec scores = {};  // of that round's classes, where the loss is over classes
  };

  // Throws Error{kBadInput} for features, a gradient or a label that is not finite or does not fit: nothing has
  // changed then.
  Outcome apply(const Event& event);

  // The decision of the last round played, in full.
  void write(std::span<double> x) const { learner_.write(x); }

  const AnySet& set() const { return set_; }
  const AnyLearner& learner() const { return learner_; }
  const Ledger& ledger() const { return ledger_; }
  const std::optional<AnyLoss>& loss() const { return loss_; }

  // All that a certificate needs, with the delays actually seen.
  theory::Seen seen() const;
  // The regret that the learner cannot have exceeded so far, where its theory says so.
  // It takes it that gradients which have not come, or never will, are no larger than those that have.
  std::optional<double> certificate() const;

 private:
  Outcome play(const Play& event);
  void check_classes() const;
  Index features_dimension() const;
  Outcome play_classes(Context context);
  Outcome receive_class(const Label& event, double label);
  void keep_features(const Covector& features, Context& context);
  Outcome receive(const Gradient& event);
  Outcome receive(const Label& event);
  Outcome expire(const Expire& event);
  void pass_on(Round round, const Feedback& feedback, const Memo& memo);
  Version current_version();

  AnySet set_;
  AnyLearner learner_;
  std::optional<AnyLoss> loss_;
  Ledger ledger_;
  std::optional<Standardiser> standardiser_;
  std::optional<LabelScale> label_scale_;
  Version version_;  // the decision last kept, shared while it stays the same
  double gradient_bound_ = 0;
};

}  // namespace tarry
