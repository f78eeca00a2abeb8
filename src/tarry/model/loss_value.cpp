// Rounds where only the value of the loss becomes known.
#include <fmt/format.h>

#include <cmath>

#include "tarry/base/error.h"
#include "tarry/model/model.h"

namespace tarry {
namespace {

[[noreturn]] void refuse_loss(const std::string& why) { throw Error(Code::kBadInput, why); }

}  // namespace

// All that is known of the round is what its decision cost.
Model::Outcome Model::cost(const RoundName& name, double loss, const std::optional<double>& at_probe) {
  constexpr double kLargest = 1e100;
  if (loss_) refuse_loss("a loss value does not fit a model with a loss, which works it out: give the label");
  if (!learner_.takes_losses())
    refuse_loss(fmt::format("a loss value is not enough for {}: give the gradient", learner_.name()));
  for (const double each : {loss, at_probe.value_or(0)})
    if (!(std::fabs(each) <= kLargest))
      refuse_loss(fmt::format("loss must be a number of at most 1e100 in size ({} came)", each));
  if (learner_.probes() && !at_probe)
    refuse_loss("loss must be two numbers, at the decision and at its probe (one came)");
  if (!learner_.probes() && at_probe)
    refuse_loss("loss must be one number: decisions of this model have no probe (two came)");
  const Round round = find(name);
  const auto settled = ledger_.settle(round);
  if (!settled) return not_applied(name, round);
  keys_.close(round);
  if (at_probe)
    learner_.receive_losses(ledger_.own(round), loss, *at_probe, settled->context.memo);
  else
    learner_.receive_loss(ledger_.own(round), loss, settled->context.memo);
  note_lost(round);
  ++events_;
  return {.answer = Answer::kApplied, .round = round, .prediction = settled->context.link(settled->context.prediction)};
}

}  // namespace tarry
