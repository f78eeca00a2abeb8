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
Model::Outcome Model::cost(const RoundName& name, double loss) {
  constexpr double kLargest = 1e100;
  if (loss_) refuse_loss("a loss value does not fit a model with a loss, which works it out: give the label");
  if (!learner_.takes_losses())
    refuse_loss(fmt::format("a loss value is not enough for {}: give the gradient", learner_.name()));
  if (!(std::fabs(loss) <= kLargest))
    refuse_loss(fmt::format("loss must be a number of at most 1e100 in size ({} came)", loss));
  const Round round = find(name);
  const auto settled = ledger_.settle(round);
  if (!settled) return not_applied(name, round);
  keys_.close(round);
  learner_.receive_loss(round, loss, settled->context.memo);
  note_lost(round);
  ++events_;
  return {.answer = Answer::kApplied, .round = round, .prediction = settled->context.link(settled->context.prediction)};
}

}  // namespace tarry
