// What a host says about challengers.
#include <fmt/format.h>

#include "tarry/hosting/reply.h"

namespace tarry::hosting {

ChallengerList challengers_of(const HostedModel& model) {
  ChallengerList list{.model = model.name(), .champion = model.champion(), .challengers = {}};
  for (const Challenger& each : model.challengers()) {
    const Trial& trial = each.trial();
    ChallengerList::One one{.name = each.name(), .spec = each.spec(), .failure = each.failure()};
    one.verdict = each.verdict();
    one.from = trial.from;
    one.left_out = trial.left_out;
    one.late = trial.late;
    one.ahead = trial.waiting_ahead();
    one.figures = trial.losses.figures();
    if (trial.choices) one.earned = trial.choices->figures();
    if (const Model* own = each.model()) {
      one.rounds = own->ledger().own(own->ledger().issued());
      one.labels = own->ledger().settled();
    }
    list.challengers.push_back(std::move(one));
  }
  return list;
}

Rejection no_such_challenger(const std::string& model, const std::string& challenger) {
  return Rejection(Rejection::kAbsent, "no_such_challenger",
                   fmt::format("the model {} has no challenger named {}", model, challenger), "challenger");
}

}  // namespace tarry::hosting
