#include "tarry/lab/play/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/error.h"
#include "tarry/data/text/write_file.h"
#include "tarry/lab/play/choosers.h"
#include "tarry/lab/play/counted_set.h"
#include "tarry/lab/play/logged_run.h"
#include "tarry/lab/play/metrics.h"
#include "tarry/lab/play/predictions.h"
#include "tarry/lab/play/routing_run.h"
#include "tarry/lab/play/row_width.h"
#include "tarry/lab/play/words.h"
#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/linalg/norms.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot_file.h"
#include "tarry/model/waiting_view.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/node.h"

namespace tarry::lab {
namespace {

using spec::Value;

std::unique_ptr<World> world_for(const RunPlan& plan, const Stream& stream) {
  if (stream.logged()) return logged_world(*plan.learner, stream);
  return begin(stream, plan.learner->is_task, plan.learner->only ? &*plan.learner->only : nullptr);
}

std::unique_ptr<Delays> delays_for(const RunPlan& plan, World& world) {
  Recorded recorded = world.recorded();
  if (plan.learner->wait && recorded) {
    const Wait& own = *plan.learner->wait;
    const double least = own.nine_in_ten ? world.nine_in_ten() : own.time;
    recorded = [recorded, least](double wait) { return recorded(std::max(wait, least)); };
  }
  return make_delays(spec::Node(plan.delay->spec, "delay"), plan.seed, recorded);
}

// Whether a learner's spec has a word that is replaced by a number about delays.
bool asks_about_delays(const Value& value) {
  if (const auto* word = std::get_if<std::string>(&value.as)) return *word == "rounds_per_copy" || *word == "delays";
  if (const auto* array = std::get_if<spec::Array>(&value.as))
    return std::any_of(array->begin(), array->end(), asks_about_delays);
  const auto* object = std::get_if<spec::Object>(&value.as);
  return object != nullptr && std::any_of(object->begin(), object->end(),
                                          [](const auto& member) { return asks_about_delays(member.second); });
}

// What the delays will be, found by playing them alone.
struct Foreseen {
  double mean = 1;
  double most_outstanding = 1;
};

Foreseen foresee(Delays& delays, Round rounds) {
  double outstanding = 0, sum = 0;
  Foreseen seen;
  for (Round t = 1; t <= rounds; ++t) {
    sum += outstanding;
    outstanding += 1;
    seen.most_outstanding = std::max(seen.most_outstanding, outstanding);
    delays.played(t, [] { return Covector::dense({}); });
    outstanding -= static_cast<double>(delays.arriving(t).size());
  }
  seen.mean = 1 + sum / static_cast<double>(rounds);
  return seen;
}

// The stream's own numbers.
Words words_of(const LearnerSpec& learner, const Stream& stream) {
  Words words{.dimension = weights_of(learner, stream)};
  if (const Table* table = stream.table(); table != nullptr && table->ratings) {
    words.users = table->ratings->users;
    words.items = table->ratings->items;
  }
  return words;
}

Value set_spec(const LearnerSpec& learner, const Stream& stream) {
  if (learner.is_task) return ModelSpec::read(learner.learner).set;
  if (std::holds_alternative<std::monostate>(learner.set.as))
    throw Error(Code::kBadSpec,
                fmt::format("learner {}: set is missing (only streams of the type routing have their own)",
                            spec::to_json(Value{learner.name})));
  Value spec = learner.set;
  replace_words(spec, words_of(learner, stream));
  return spec;
}

// G of a raw stream on this set: the slopes' bound, and the curvature's part at the farthest point.
double gradient_bound(const Stream& stream, const AnySet& set) {
  if (stream.gradient_bound == 0) return 0;
  const double curvature = stream.raw() != nullptr ? stream.raw()->curvature : 0;
  return stream.gradient_bound + curvature * (start_norm(set.shape()) + set.diameter());
}

class Recorder {
 public:
  Recorder(RunResult& result, std::vector<Round> checkpoints, const Stream& stream, const World& world,
           const Models& models, CountedSet::Counter calls)
      : curves_(result.curves),
        checkpoints_(std::move(checkpoints)),
        metrics_(stream.table() != nullptr ? Metrics(measure_of(stream.table()->loss_name), stream.table()->ratings)
                                           : Metrics(Measure::kNone)),
        means_(stream, checkpoints_.back()),
        table_(stream.table()),
        world_(world),
        models_(models),
        calls_(std::move(calls)) {}

  // `regret`: whether it is recorded, where the world knows it.
  void after(const RoundPlayed& round, const Played& so_far, bool regret) {
    metrics_.add(round);
    means_.add(round);
    if (round.round != checkpoints_[next_]) return;
    ++next_;
    curves_.round.push_back(round.round);
    curves_.loss.push_back(so_far.loss);
    if (const auto best = regret ? world_.best_fixed() : std::nullopt) {
      curves_.regret_low.push_back(so_far.loss - *best);
      curves_.regret_high.push_back(so_far.loss - *best);
    }
    curves_.bound.push_back(models_.certificate().value_or(std::numeric_limits<double>::quiet_NaN()));
    curves_.outstanding.push_back(static_cast<double>(models_.outstanding()));
    curves_.oracle_calls.push_back(static_cast<double>(calls_->load()));
    curves_.seconds.push_back(so_far.seconds);
    if (table_ != nullptr && table_->waits)
      curves_.time.push_back(table_->data->seconds(table_->data->event_time[round.round - 1]));
    curves_.state_bytes.push_back(static_cast<double>(models_.state_bytes()));
    for (const auto& all : {metrics_.values(), world_.metrics()})
      for (const auto& [name, value] : all) curves_.metrics[name].push_back(value);
  }

  const Means& means() const { return means_; }

 private:
  Curves& curves_;
  std::vector<Round> checkpoints_;
  std::size_t next_ = 0;
  Metrics metrics_;
  Means means_;
  const Table* table_;
  const World& world_;
  const Models& models_;
  CountedSet::Counter calls_;
};

}  // namespace

Round run_rounds(Round asked, const Stream& stream) {
  if (stream.rounds == 0) {
    if (asked == 0) throw Error(Code::kBadSpec, "experiment: rounds is missing (a synthetic stream has no end)");
    return asked;
  }
  return asked == 0 ? stream.rounds : std::min(asked, stream.rounds);
}

std::vector<Round> run_checkpoints(const Experiment& experiment, const Stream& stream) {
  if (experiment.horizons.empty())
    return checkpoint_rounds(run_rounds(experiment.rounds, stream), experiment.checkpoints);
  std::vector<Round> rounds;
  for (Round horizon : experiment.horizons)
    if (const Round t = run_rounds(horizon, stream); rounds.empty() || t > rounds.back()) rounds.push_back(t);
  return rounds;
}

AnySet set_for(const LearnerSpec& learner, const Stream& stream) {
  const Value spec = set_spec(learner, stream);
  const spec::Node node(spec, "set");
  AnySet set = make_set(node);
  const Index wanted = weights_of(learner, stream);
  if (!learner.is_task && set.dimension() != wanted)
    node.fail_whole(fmt::format("dimension must be the stream's, {} (it is {})", wanted, set.dimension()));
  return set;
}

namespace {

Value learner_spec(const RunPlan& plan, const Stream& stream, const AnySet& set, Round rounds,
                   const Foreseen& foreseen) {
  Words words = words_of(*plan.learner, stream);
  words.rounds = static_cast<double>(rounds);
  words.rounds_per_copy = std::max(1.0, std::ceil(words.rounds / foreseen.most_outstanding));
  words.gradient_bound = gradient_bound(stream, set);
  words.mean_delay = foreseen.mean;
  words.seed = plan.seed;
  return worded(*plan.learner, words);
}

// A task on a stream whose rows have names and whose loss is the task's.
ModelSpec task_spec(const RunPlan& plan, const Stream& stream) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Code::kBadSpec, fmt::format("learner {}: {}", spec::to_json(Value{plan.learner->name}), why));
  };
  ModelSpec spec = ModelSpec::read(plan.learner->learner);
  if (plan.learner->policy != Policy{}) refuse("policy is for streams of the type logged");
  if (stream.choices() || spec.choice) return chooser_spec(std::move(spec), plan, stream);
  const Table* table = stream.table();
  if (!spec.features || table == nullptr || !table->has_names())
    refuse(fmt::format("a task needs rows by name, which stream \"{}\" does not have", stream.name));
  const std::string loss = spec::Node(*spec.loss, "loss").type();
  if (loss != table->loss_name)
    refuse(fmt::format("its loss, {}, is not the one of stream \"{}\", {}", loss, stream.name, table->loss_name));
  return spec;
}

// A learner over the stream's own rows. A standardising one needs the features when it predicts.
ModelSpec numbered_spec(const RunPlan& plan, const Stream& stream, const AnySet& set, Round rounds,
                        const Foreseen& foreseen) {
  const Table* table = stream.table();
  if (plan.learner->standardise && table != nullptr && table->known == Known::kAtFeedback)
    throw Error(Code::kBadSpec, fmt::format("standardise: the features of stream \"{}\" come with the feedback, and "
                                            "there is nothing to standardise at the play",
                                            stream.name));
  ModelSpec spec{.set = set_spec(*plan.learner, stream),
                 .learner = learner_spec(plan, stream, set, rounds, foreseen),
                 .standardise = plan.learner->standardise,
                 .products = multiplied(*plan.learner, stream),
                 .trees = grown(*plan.learner, stream),
                 .bends = bent(*plan.learner, stream),
                 .initial = plan.learner->initial,
                 .expiry = plan.learner->expiry,
                 .tracked = plan.learner->tracked};
  if (table != nullptr) {
    spec.loss = table->loss_spec;
    if (plan.learner->standardise) spec.numbers = table->data->numbers;
  }
  return spec;
}

Model model_for(const RunPlan& plan, const Stream& stream, const AnySet& set, Round rounds, const Foreseen& foreseen) {
  ModelSpec spec = stream.logged()         ? logged_spec(*plan.learner, stream)
                   : plan.learner->is_task ? task_spec(plan, stream)
                                           : numbered_spec(plan, stream, set, rounds, foreseen);
  const auto make = [&] { return make_model(spec, [&](const AnySet&) { return set; }); };
  Model model = make();
  const Table* table = stream.table();
  if (table == nullptr || table->data->corrected.empty() || spec.revisable.any() || spec.tracked.any() ||
      !model.learner().revises())
    return model;
  spec.revisable.rounds = rounds;  // labels of this table are corrected, at any time
  spec.trees = false;              // which are grown on first labels
  return make();
}

// Who plays: on roads a model for each pair of zones, else one.
Models models_for(const RunPlan& plan, const Stream& stream, Round rounds, const CountedSet::Counter& calls) {
  if (stream.travel()) return pair_models(stream, plan, rounds, calls);
  return Models([&plan, &stream, rounds, calls](std::size_t) {
    const AnySet set = CountedSet(set_for(*plan.learner, stream), calls);
    Foreseen foreseen;
    if (asks_about_delays(plan.learner->learner))
      foreseen = foresee(*delays_for(plan, *world_for(plan, stream)), rounds);
    return model_for(plan, stream, set, rounds, foreseen);
  });
}

std::string set_name(const LearnerSpec& learner) {
  if (learner.is_task) return "task";
  return std::holds_alternative<std::monostate>(learner.set.as) ? "flow" : spec::Node(learner.set, "set").type();
}

// One game, with curves at the checkpoints; the last of them ends it.
RunResult play_once(const Stream& stream, const RunPlan& plan, const RunContext& context,
                    const std::vector<Round>& checkpoints, const TopSpec& top, bool regret) {
  const Round rounds = checkpoints.back();
  const auto calls = std::make_shared<std::atomic<std::uint64_t>>(0);
  const auto world = world_for(plan, stream);
  const auto delays = delays_for(plan, *world);
  Models models = models_for(plan, stream, rounds, calls);
  RunResult result{.stream = plan.stream->name,
                   .delay = plan.delay->name,
                   .learner = plan.learner->name,
                   .set = set_name(*plan.learner),
                   .seed = plan.seed,
                   .curves = {},
                   .delays = {}};
  Recorder recorder(result, checkpoints, stream, *world, models, calls);
  std::optional<QualityCount> quality;
  if (stream.table() != nullptr) quality.emplace(*stream.table(), models.at(0));
  std::optional<Predictions> predictions;
  if (!context.keep.empty()) predictions.emplace(*stream.table(), models.at(0));
  const auto after = [&](const RoundPlayed& round, const Played& so_far) {
    recorder.after(round, so_far, regret);
    if (quality) quality->add(round);
    if (predictions) predictions->add(round);
    if (round.round % 64 != 0) return;
    if (context.stop != nullptr && context.stop->load()) throw Interrupted{};
    if (context.progress) context.progress(round.round, rounds);
  };
  const Played played = play_game([&](std::size_t seat) -> Model& { return models.at(seat); }, *world, *delays,
                                  {.rounds = rounds, .after = after, .clock = context.clock});
  const auto never = [&](Round t) { return world->never(t) || delays->never(t); };
  if (predictions) {
    data::write_file(context.keep / "predictions.csv", predictions->csv(never));
    save_snapshot(models.at(0), context.keep / "model.tarry", models.at(0).events());
  }
  result.delays = models.only() != nullptr ? models.only()->ledger().delays() : played.delays;
  for (Round t = 1; t <= rounds; ++t) result.lost += never(t) ? 1 : 0;
  result.on_its_way = models.untracked() > 0 ? rounds - played.delays.answered - result.lost
                                             : models.outstanding() + models.expired() - result.lost;
  const Table* table = stream.table();
  if (table != nullptr && spec::Node(plan.delay->spec, "delay").type() == "recorded") result.waits = table->waits;
  if (!top.users.empty()) result.top = top_items(models.at(0).learner(), *table, rounds, top);
  result.roads = world->roads();
  result.mean = recorder.means().all;
  result.later_mean = recorder.means().later;
  if (quality) result.quality = quality->quality();
  if (const Model* only = models.only(); only != nullptr && only->learner().waits())
    result.waiting = to_value(waiting_view(*only));
  return result;
}

void append_last(Curves& all, const Curves& one) {
  all.round.push_back(one.round.back());
  const auto append = [](Vec& to, const Vec& from) { to.push_back(from.back()); };
  append(all.loss, one.loss);
  if (!one.regret_high.empty()) {  // of games that know their own
    append(all.regret_low, one.regret_low);
    append(all.regret_high, one.regret_high);
  }
  append(all.bound, one.bound);
  append(all.outstanding, one.outstanding);
  append(all.oracle_calls, one.oracle_calls);
  append(all.seconds, one.seconds);
  append(all.state_bytes, one.state_bytes);
  if (!one.time.empty()) append(all.time, one.time);
  for (const auto& [name, values] : one.metrics) append(all.metrics[name], values);
}

}  // namespace

void check_run(const Experiment& experiment, const Stream& stream, const RunPlan& plan) {
  check_top(experiment.top, stream);
  if (!experiment.top.users.empty() && plan.learner->standardise)
    throw Error(Code::kBadSpec, "top: is for learners that do not standardise");
  const Table* table = stream.table();
  if (experiment.keep == plan.learner->name && (table == nullptr || table->known != Known::kAtPlay))
    throw Error(Code::kBadSpec, fmt::format("keep: stream \"{}\" has no predictions to keep", stream.name));
  if (stream.travel()) return check_routing(stream, plan);
  check_chooses(plan, stream);
  const AnySet set = set_for(*plan.learner, stream);
  model_for(plan, stream, set, run_checkpoints(experiment, stream).back(), Foreseen{});
}

void check_delays(const Stream& stream, const RunPlan& plan) { delays_for(plan, *world_for(plan, stream)); }

RunResult play_run(const Experiment& experiment, const Stream& stream, const RunPlan& plan, const RunContext& context) {
  const std::vector<Round> checkpoints = run_checkpoints(experiment, stream);
  const auto play = [&](const std::vector<Round>& kept) {
    return play_once(stream, plan, context, kept, experiment.top, experiment.comparator && plan.learner->regret);
  };
  if (experiment.horizons.empty()) return play(checkpoints);
  RunResult result;
  Curves curves;
  for (Round horizon : checkpoints) {
    result = play({horizon});
    append_last(curves, result.curves);
  }
  result.curves = std::move(curves);
  return result;
}

}  // namespace tarry::lab
