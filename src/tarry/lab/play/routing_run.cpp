#include "tarry/lab/play/routing_run.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/lab/play/words.h"
#include "tarry/lab/routing/trip_flow.h"
#include "tarry/learners/registry.h"
#include "tarry/spec/node.h"

namespace tarry::lab {
namespace {

[[noreturn]] void refuse(const Stream& stream, const std::string& why) {
  throw Error(Code::kBadSpec, fmt::format("stream \"{}\": {}", stream.name, why));
}

// How often each pair will travel: its draws do not depend on what is decided.
std::map<std::size_t, Round> rounds_of_pairs(const Travel& travel, Round rounds) {
  std::map<std::size_t, Round> count;
  for (Round t = 1; t <= rounds; ++t) ++count[travel.pair_of(t)];
  return count;
}

}  // namespace

Models pair_models(const Stream& stream, const RunPlan& plan, Round rounds, const CountedSet::Counter& calls) {
  const auto travel = stream.travel();
  return Models([&stream, &plan, travel, calls, played = rounds_of_pairs(*travel, rounds)](std::size_t pair) {
    const AnySet set = CountedSet(TripFlow(travel, pair), calls);
    Words words;
    words.rounds = static_cast<double>(played.at(pair));
    words.rounds_per_copy = words.mean_delay = 0;  // nobody knows beforehand how long trips will take
    words.gradient_bound = stream.gradient_bound;
    words.dimension = stream.dimension;
    words.seed = plan.seed * travel->trips().size() + pair;  // pairs draw different numbers
    const spec::Value spec = worded(*plan.learner, words);
    const LearnerSetting setting{.set = set, .initial = plan.learner->initial};
    return Model(ModelParts{.set = set, .learner = make_learner(spec::Node(spec, "learner"), setting)});
  });
}

void check_routing(const Stream& stream, const RunPlan& plan) {
  if (!std::holds_alternative<std::monostate>(plan.learner->set.as))
    refuse(stream, "takes no set: the decisions are the flows of each pair of zones");
  if (plan.learner->is_task) refuse(stream, "has no rows for a task");
  if (plan.learner->standardise) refuse(stream, "has no features to standardise");
  if (!plan.learner->initial.empty())
    refuse(stream, "begins with the routes that are quickest on empty roads: no `initial`");
  pair_models(stream, plan, 1, std::make_shared<std::atomic<std::uint64_t>>(0)).at(stream.travel()->pair_of(1));
  const spec::Node delay(plan.delay->spec, "delay");
  if (delay.text("type") == "recorded" && delay.has("lost"))
    refuse(stream, "all trips end: the delay \"recorded\" has no `lost` here");
}

}  // namespace tarry::lab
