// Models that track some of their rounds (ledger/tracking.h).
#include "tarry/model/tracked.h"

#include "tarry/base/error.h"
#include "tarry/model/model.h"

namespace tarry {

Tracked read_tracked(const spec::Node& given) {
  constexpr const char* kWanted = "a whole number of rounds, 2 or more, or an object with rounds and seed";
  const auto whole = [&](const spec::Node& node) {
    const double rounds = node.is_number() ? node.number() : 0;
    if (!(rounds >= double{kFewestTracked} && rounds <= double{kMostTracked}) ||
        static_cast<double>(static_cast<std::uint64_t>(rounds)) != rounds)
      node.fail(kWanted);
    return static_cast<std::uint64_t>(rounds);
  };
  if (given.is_number()) return {.most = whole(given)};
  if (!given.is_object()) given.fail(kWanted);
  const spec::Node node(given.value(), "tracked");
  Tracked tracked{.most = whole(node.at("rounds", kWanted))};
  if (node.has("seed")) tracked.seed = static_cast<std::uint64_t>(node.count("seed", 0, spec::Index{1} << 53));
  node.refuse_unknown_keys();
  return tracked;
}

spec::Value to_value(const Tracked& tracked) {
  const spec::Value rounds{static_cast<std::int64_t>(tracked.most)};
  if (tracked.seed == 0) return rounds;
  return {spec::Object{{"rounds", rounds}, {"seed", spec::Value{static_cast<std::int64_t>(tracked.seed)}}}};
}

void Model::check_tracked() const {
  if (ledger_.tracked().any() && revisable_.any())
    throw Error(Code::kUnsupported, "tracked: a model whose labels may be replaced keeps every round; leave out one");
}

// What goes is as if it had never been played: its label would be learnt by the rounds that are kept.
void Model::drop_untracked(Outcome& outcome) {
  if (!ledger_.tracked().any() || outcome.answer != Answer::kApplied) return;
  outcome.untracked = ledger_.beyond_tracked();
  for (const Round round : outcome.untracked) {
    Context context = ledger_.find(round)->unpack();
    withdraw(round, context, context.memo);
    learner_.abandon(ledger_.own(round), context.memo);
    note_lost(round);
    if (context.due.any()) forget_look(round, context.due);
    ledger_.untrack(round);
    keys_.close(round);
  }
}

// A round that was kept with probability W is learnt 1/W times, where the learner sums up gradients.
void Model::weigh(double chance, Feedback& feedback, Vec& values) const {
  if (chance == 1 || !learner_.sums_gradients()) return;
  feedback.gradient = feedback.gradient.times(1 / chance, values);
  if (feedback.slope) *feedback.slope /= chance;
  feedback.known = nullptr;
}

}  // namespace tarry
