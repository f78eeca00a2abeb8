// What feedback is answered that changes nothing, and what a label would be if it reached the model: for labels that
// are kept back beside it.
#include <fmt/format.h>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/linalg/stacked.h"
#include "tarry/model/model.h"

namespace tarry {

// The round of a number or a key; 0 where no round was ever played under that key.
Round Model::find(const RoundName& name) const {
  if (name.number > 0) return name.number;
  const KeyedRound* known = keys_.find(name.key);
  return known == nullptr ? 0 : known->round;
}

Model::Outcome Model::not_applied(const RoundName& name, Round round) const {
  return {.answer = ledger_.why_not(round), .round = name.number > 0 ? name.number : round};
}

void Model::check_brings(const Context& context, bool features) {
  const auto refuse = [](const char* why) { throw Error(Code::kBadInput, why); };
  if (context.has_features && features) refuse("features were given at play: a label must not bring others");
  if (!context.has_features && !features) refuse("features were not given at play: the label must bring them");
}

// As `learn` would refuse it.
void Model::check_gradient(Round round, const Context& context, double label) const {
  if (!context.has_features) return;
  Row wide;
  const Covector row = care_.widen(view(context), ledger_.own(round), wide);
  std::optional<Stacked> stacked;
  if (outputs() > 1) stacked.emplace(row, outputs(), care_.width());
  const double taken = label_scale_ ? label_scale_->taken(label) : label;
  const KnownLoss known{stacked ? stacked->view() : row, *loss_, taken, context.link};
  const auto predictions =
      stacked ? std::span<const double>(context.scores) : std::span<const double>(&context.prediction, 1);
  Vec slopes(predictions.size()), values;
  known.slopes(predictions, slopes);
  check_sizes(known.gradient(slopes, values), "gradient");
}

Model::Outcome Model::foresee(Round round, std::span<const Label> before, const Label& next) const {
  check_label(next.revising, next.shown);
  const auto waiting = ledger_.peek(round);
  ensure(waiting.has_value(), "labels are kept back for rounds that wait");
  const double label = checked_label(first_label(next.label));
  check_brings(waiting->context, next.features.has_value());
  if (before.empty()) {
    check_gradient(round, waiting->context, label);
    return {.answer = Answer::kApplied, .round = round};
  }
  if (!revisable_.any() || !waiting->context.has_features) {
    const bool another = next.revising.revise || revisable_.labels != LabelsAre::kFirst;
    return {.answer = another ? Answer::kConflict : Answer::kDuplicate, .round = round};
  }
  const Label& first = before.front();
  SettledRound settled =
      as_labelled(waiting->context, {}, number_kept(first.label, first_label(first.label)), first.revising);
  for (const Label& each : before.subspan(1)) add_label(settled, each.label, each.revising);
  if (revisable_.ended(settled, ledger_.issued(), time_of(next.revising.now)))
    return {.answer = Answer::kConflict, .round = round};
  if (const auto answer = add_label(settled, next.label, next.revising))
    return {.answer = *answer, .round = round, .certain = true};
  check_gradient(round, waiting->context,
                 revisable_.labels == LabelsAre::kSum ? loss_->label(settled.label) : settled.label);
  return {.answer = Answer::kApplied, .round = round, .revised = true};
}

}  // namespace tarry
