#include "tarry/model/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/base/sha256.h"
#include "tarry/learners/combined/treed_bases.h"
#include "tarry/learners/registry.h"
#include "tarry/model/update_cost.h"
#include "tarry/sets/registry.h"

namespace tarry {
namespace {

constexpr std::size_t kToldCurves = 8;
constexpr std::size_t kToldNames = 20;
constexpr Index kMostKept = Index{1} << 26;    // coordinates that are put into memory for a look
constexpr Index kMostInFull = Index{1} << 20;  // a play without features may keep as many numbers and more
constexpr std::size_t kFingerprint = 16;       // digits
constexpr Index kTypicalFeatures = 10;

// Half numbers, half words.
NamedFeatures typical_named() {
  NamedFeatures features;
  for (Index i = 0; i < kTypicalFeatures / 2; ++i) {
    features.push_back({fmt::format("number {}", i), static_cast<double>(i + 1)});
    features.push_back({fmt::format("word {}", i), std::string("a")});
  }
  return features;
}

NamedFeatures typical_rating() { return {{"user", std::string("a")}, {"item", std::string("b")}}; }

Features typical_numbered(Index dimension) {
  SparseVector features;
  for (Index i = 0; i < std::min(dimension, kTypicalFeatures); ++i) {
    features.indices.push_back(i);
    features.values.push_back(1);
  }
  return features;
}

std::optional<Features> typical_features(const Model& model) {
  if (const AnyEncoder* encoder = model.features().encoder())
    return std::holds_alternative<Encoder>(*encoder) ? typical_named() : typical_rating();
  if (model.loss()) return typical_numbered(model.features().dimension());
  return std::nullopt;
}

std::size_t count(const std::optional<Features>& features) {
  if (!features) return 0;
  if (const auto* named = std::get_if<NamedFeatures>(&*features)) return named->size();
  return std::get<SparseVector>(*features).indices.size();
}

// As many as the exploration can share its probabilities among.
std::vector<Action> typical_actions(const ChoiceSpec& choice) {
  if (!choice.actions.empty()) return choice.actions;
  std::vector<Action> actions{{"a"}};
  for (int i = 1; choice.explore.cap * static_cast<double>(actions.size()) < 1; ++i)
    actions.push_back({fmt::format("a{}", i)});
  return actions;
}

std::optional<Explanation::Waiting> play_one(Model& model) {
  const std::optional<Features> features = typical_features(model);
  if (!features && model.set().dimension() > kMostInFull) return std::nullopt;
  const PlayTimes times{.now = model.revisable().seconds > 0 ? std::optional(0.0) : std::nullopt};
  const Round round = model.choice()
                          ? model.choose({typical_named(), typical_actions(*model.choice())}, "", times).round
                          : model.apply(Play{.features = features, .times = times}).round;
  const Context context = model.ledger().peek(round)->context;
  ByteWriter packed = ByteWriter::counting();
  PackedContext(context).save(packed);
  return Explanation::Waiting{count(features), packed.size() - sizeof(std::uint64_t), context.memo.size()};
}

std::optional<Explanation::Bound> bound_at(const Horizon& horizon, const spec::Value& learner, const Model& model) {
  const std::string losses = promise_of(learner).losses;
  if (losses.empty()) return std::nullopt;
  theory::Seen game = model.seen();  // what the model knows of its losses; a game without delay is to come
  game.rounds = horizon.rounds;
  game.sum_outstanding = 0;
  game.largest_delay = 1;
  game.gradient_bound = horizon.gradient_bound;
  const auto regret = model.learner().bound(game);
  if (!regret) return std::nullopt;
  return Explanation::Bound{horizon.rounds, horizon.gradient_bound, *regret,
                            horizon.rounds * horizon.gradient_bound * model.set().diameter(),
                            losses + "; every answer comes before the next play, and no gradient is longer"};
}

// The banks of a learner that weighs products and bends: as many learners each.
std::vector<std::string> banks_of(const ModelSpec& spec, std::size_t learners) {
  std::vector<std::string> banks{"the features"};
  if (spec.products > 0) banks.push_back(fmt::format("products of the first {}", spec.products));
  if (spec.bends > 0) banks.push_back(fmt::format("numbers that bend, of the first {}", spec.bends));
  if (spec.learner.flag_at("forgets")) banks.push_back("the features, for streams that change");
  const LearnerEntry* entry = learner_entry(spec.learner);
  const bool weighs = entry != nullptr && entry->weighs_products && !(spec.choice && spec.choice->crossed);
  if (spec.trees) learners -= TreedBases::kOwn;
  if (!weighs || learners % banks.size() != 0) return {};
  if (spec.trees) banks.push_back("boosted trees, and mixtures with them");
  return banks.size() > 1 ? banks : std::vector<std::string>{};
}

Explanation::State state_of(const Model& model) {
  Explanation::State state{.rounds = model.ledger().issued(), .outstanding = model.ledger().outstanding()};
  if (model.apprentice().any()) state.apprentice = model.apprentice().figures();
  if (model.comparison().any()) state.comparison = model.comparison().figures();
  return state;
}

}  // namespace

Explanation explain(const ModelSpec& spec, const std::optional<Horizon>& horizon) {
  Explanation told{.spec = spec, .fingerprint = sha256(spec.json()).substr(0, kFingerprint)};
  std::optional<AnySet> set;
  try {
    set = make_set(spec::Node(spec.set, "set"));
  } catch (const Error& error) {
    if (error.code() != Code::kOutOfMemory) throw;
    return told;
  }
  told.set = {set->dimension(), set->diameter(), set->strong_convexity(), set->gauge_curvature(), set->can_project()};
  if (spec.initial.empty())  // which decides how a decision is kept
    told.update = update_cost(spec.learner, *set,
                              !spec.loss          ? "the gradient's non-zeros"
                              : spec.bends > 0    ? "the features' non-zeros, their products and bends"
                              : spec.products > 0 ? "the features' non-zeros and their products"
                                                  : "the features' non-zeros");
  if (coordinates_kept(spec.learner, *set) > kMostKept) return told;
  try {
    Model model = make_model(spec);
    if (horizon) told.bound = bound_at(*horizon, spec.learner, model);
    told.waiting = play_one(model);
    told.learners = model.learner().instances();
    told.banks = banks_of(spec, *told.learners);
  } catch (const Error& error) {
    if (error.code() != Code::kOutOfMemory) throw;
  }
  return told;
}

Explanation explain(const Model& model, const std::optional<Horizon>& horizon) {
  Explanation told = explain(ModelSpec::parse(model.spec()), horizon);
  told.waits = waiting_view(model);
  told.state = state_of(model);
  told.curves = model.curves(kToldCurves);
  told.alike = alike_names(model, kToldNames);
  return told;
}

}  // namespace tarry
