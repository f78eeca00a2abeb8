// Rewards that say what was shown: the round is learnt as if that had been chosen. Of the context the round has kept
// its part of the row; the action's is made from what the reward says of it.
#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/model/model.h"

namespace tarry {

void Model::check(const ShownLater& shown) const {
  if (!choice_) throw Error(Code::kBadInput, "shown is for a model that chooses");
  check_shown(shown);
  if (!care_.puts_actions() || !learner_.plays_instead())
    throw Error(Code::kUnsupported,
                "shown cannot come with the reward where the model has a learner or products of its own: give it with "
                "the choice");
}

// The prediction is made by the learner as it is now: what it would have been at the play nobody knows by now. Throws
// before anything changes.
void Model::put_shown(Round round, const ShownLater& shown, Context& context) {
  const bool agreed = care_.has_word(context, kActionFeature, shown.action.id);
  if (!agreed) {
    Context played = context;
    const auto& known = choice_->actions;
    const auto at = std::find_if(known.begin(), known.end(), [&](const Action& a) { return a.id == shown.action.id; });
    const bool lists_it = shown.action.features.empty() && at != known.end();
    care_.put_action(row_of({}, lists_it ? *at : shown.action), context);
    withdraw(round, played, played.memo);
    const Covector row = care_.widen(view(context), ledger_.own(round), wide_);
    if (label_scale_) context.link = label_scale_->link();
    context.prediction = learner_.predict(row);
    learner_.play_instead(row, context.memo);
  }
  apprentice_.shown(round, agreed, std::nullopt);
  comparison_.shown(round, shown);
}

// Of a round that has a reward: it was learnt as what the first one said.
void Model::expect_shown(Round round, const ShownLater& shown, const PackedContext& learnt) const {
  if (care_.has_word(learnt.unpack(), kActionFeature, shown.action.id)) return;
  throw Error(Code::kConflict, "shown must name the action that round " + std::to_string(round) + " was learnt with (" +
                                   spec::to_json({tarry::shown(shown.action.id)}) + " came)");
}

}  // namespace tarry
