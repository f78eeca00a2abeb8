// Rounds that end without their feedback: given up, or void.
#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/model/model.h"

namespace tarry {

Round Model::give_up_overdue() {
  if (expiry_.rounds == 0) return 0;
  const Round next = ledger_.issued() + 1;
  Round count = 0;
  for (; ledger_.oldest_outstanding() + expiry_.rounds <= next; ++count) {
    const Round round = ledger_.oldest_outstanding();
    const auto overdue = ledger_.peek(round);
    ensure(overdue.has_value(), "the oldest round that waits is on the ledger");
    give_up(round, *overdue);
    ensure(ledger_.oldest_outstanding() > round, "a round that is given up waits no longer");
  }
  return count;
}

// Its feedback will never come: it is learnt as the default label where there is one and the features are known.
Model::Outcome Model::give_up(Round round, const Ledger::Settled& waiting) {
  const Context& context = waiting.context;
  bool learnt = false;
  if (expiry_.then_label && context.has_features) {
    const double label = labels_.read(*expiry_.then_label, *loss_);
    try {
      learn(round, waiting, label, view(context), now_);
      learnt = true;
      add_name(*expiry_.then_label);
      note_reward(round, label);
    } catch (const Error& error) {  // a gradient too large to be one: nothing has changed
      if (error.code() != Code::kBadInput) throw;
    }
  }
  if (!learnt) {
    learner_.abandon(ledger_.own(round), context.memo);
    note_lost(round);
  }
  ledger_.expire(round);
  keys_.close(round);
  return {.answer = Answer::kApplied, .round = round, .prediction = context.link(context.prediction)};
}

Model::Outcome Model::expire(const RoundName& name) {
  const Round round = find(name);
  const auto waiting = ledger_.peek(round);
  if (!waiting) return not_applied(name, round);
  ++events_;
  return give_up(round, *waiting);
}

Model::Outcome Model::declare_void(const RoundName& name) {
  const Round round = find(name);
  auto settled = ledger_.declare_void(round);
  if (!settled) return not_applied(name, round);
  keys_.close(round);
  apprentice_.voided(round);
  if (choice_) comparison_.voided(round);
  Memo& memo = settled->context.memo;
  withdraw(round, settled->context, memo);
  learner_.abandon(ledger_.own(round), memo);
  ++events_;
  return {.answer = Answer::kApplied, .round = round, .prediction = settled->context.link(settled->context.prediction)};
}

}  // namespace tarry
