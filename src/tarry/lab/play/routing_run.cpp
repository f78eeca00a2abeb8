#include "tarry/lab/play/routing_run.h"

#include <fmt/format.h>

#include <limits>

#include "tarry/base/error.h"
#include "tarry/lab/play/counted_set.h"
#include "tarry/lab/routing/routing_game.h"
#include "tarry/lab/routing/trip_flow.h"
#include "tarry/learners/registry.h"
#include "tarry/spec/node.h"

namespace tarry::lab {
namespace {

[[noreturn]] void refuse(const Stream& stream, const std::string& why) {
  throw Error(Code::kBadSpec, fmt::format("stream \"{}\": {}", stream.name, why));
}

// How often each pair will travel: its draws do not depend on what is decided.
std::map<std::size_t, Round> rounds_of_pairs(const RoutingWorld& world, Round rounds) {
  std::map<std::size_t, Round> count;
  for (Round t = 1; t <= rounds; ++t) ++count[world.pair_of(t)];
  return count;
}

class PairModels {
 public:
  PairModels(const Stream& stream, const RunPlan& plan, Round rounds, CountedSet::Counter calls)
      : stream_(stream), plan_(plan), rounds_(rounds_of_pairs(*stream.routing, rounds)), calls_(std::move(calls)) {}

  Model make(std::size_t pair) const {
    const AnySet set = CountedSet(TripFlow(stream_.routing, pair), calls_);
    Words words;
    words.rounds = static_cast<double>(rounds_.at(pair));
    words.rounds_per_copy = words.mean_delay = 0;  // nobody knows beforehand how long trips will take
    words.gradient_bound = stream_.gradient_bound;
    words.dimension = stream_.dimension;
    words.seed = plan_.seed * stream_.routing->trips().size() + pair;  // pairs draw different numbers
    const spec::Value spec = worded(*plan_.learner, words);
    const LearnerSetting setting{.set = set, .initial = plan_.learner->initial};
    return Model(ModelParts{.set = set, .learner = make_learner(spec::Node(spec, "learner"), setting)});
  }
  std::size_t first() const { return rounds_.begin()->first; }

 private:
  const Stream& stream_;
  const RunPlan& plan_;
  std::map<std::size_t, Round> rounds_;
  CountedSet::Counter calls_;
};

// The trips' own ends are what is recorded here.
void set_delays(const Stream& stream, const RunPlan& plan, RoutingGame::Options& options) {
  const spec::Node node(plan.delay->spec, "delay");
  if (node.text("type") != "recorded") {
    options.delays = make_delays(node, plan.seed);
    return;
  }
  options.wait = node.number_or("wait", 0);
  if (options.wait < 0) node.at("wait").fail("at least 0");
  if (node.has("lost")) refuse(stream, "all trips end: the delay \"recorded\" has no `lost` here");
  node.refuse_unknown_keys();
}

RoutingGame::Options options_for(const Stream& stream, const RunPlan& plan, const RunContext& context,
                                 const PairModels& models) {
  RoutingGame::Options options;
  options.make_model = [&](std::size_t pair) { return models.make(pair); };
  options.clock = context.clock;
  set_delays(stream, plan, options);
  return options;
}

void record(const RoutingGame& game, Round t, std::uint64_t calls, bool regret, Curves& curves) {
  curves.round.push_back(t);
  curves.loss.push_back(game.loss());
  if (regret) {
    const double above = game.loss() - game.best_fixed();
    curves.regret_low.push_back(above);
    curves.regret_high.push_back(above);
  }
  curves.bound.push_back(game.certificate().value_or(std::numeric_limits<double>::quiet_NaN()));
  curves.outstanding.push_back(static_cast<double>(game.outstanding()));
  curves.oracle_calls.push_back(static_cast<double>(calls));
  curves.seconds.push_back(game.seconds());
  curves.state_bytes.push_back(static_cast<double>(game.state_bytes()));
  curves.metrics["travel_time"].push_back(game.mean_time());
  curves.metrics["beckmann_gap"].push_back(game.beckmann_gap());
}

}  // namespace

void check_routing(const Stream& stream, const RunPlan& plan, Round rounds) {
  if (!std::holds_alternative<std::monostate>(plan.learner->set.as))
    refuse(stream, "takes no set: the decisions are the flows of each pair of zones");
  if (plan.learner->is_task) refuse(stream, "has no rows for a task");
  if (plan.learner->standardise) refuse(stream, "has no features to standardise");
  if (!plan.learner->initial.empty())
    refuse(stream, "begins with the routes that are quickest on empty roads: no `initial`");
  const PairModels models(stream, plan, std::min<Round>(rounds, 1), std::make_shared<std::atomic<std::uint64_t>>(0));
  models.make(models.first());
  RoutingGame::Options options;
  set_delays(stream, plan, options);
}

RunResult play_routing(const Stream& stream, const RunPlan& plan, const RunContext& context,
                       const std::vector<Round>& checkpoints, bool regret) {
  const Round rounds = checkpoints.back();
  const auto calls = std::make_shared<std::atomic<std::uint64_t>>(0);
  const PairModels models(stream, plan, rounds, calls);
  RoutingGame game(stream.routing, options_for(stream, plan, context, models));
  RunResult result{.stream = plan.stream->name,
                   .delay = plan.delay->name,
                   .learner = plan.learner->name,
                   .set = "flow",
                   .seed = plan.seed,
                   .curves = {},
                   .delays = {}};
  auto next = checkpoints.begin();
  for (Round t = 1; t <= rounds; ++t) {
    game.play(t);
    if (t == *next) {
      record(game, t, calls->load(), regret, result.curves);
      ++next;
    }
    if (t % 64 != 0) continue;
    if (context.stop != nullptr && context.stop->load()) throw Interrupted{};
    if (context.progress) context.progress(t, rounds);
  }
  result.delays = game.delays();
  result.on_its_way = game.outstanding();
  result.roads.flow = game.average_flow();
  result.roads.time.resize(result.roads.flow.size());
  stream.routing->roads().times(result.roads.flow, result.roads.time);
  return result;
}

}  // namespace tarry::lab
