// The rows of the climbs: every registered learner, and more settings of some, on small sets, in every form of game.
#include <fmt/format.h>

#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

const std::vector<Named>& small_sets() {
  static const std::vector<Named> all = {
      {"l2_ball", R"({"type": "l2_ball", "dimension": 2, "radius": 1})"},
      {"simplex", R"({"type": "simplex", "dimension": 3})"},
      {"box", R"({"type": "box", "lower": [-1, 0], "upper": [1, 0.5]})"},
      {"ball × ball", R"({"type": "product", "parts": [{"type": "l2_ball", "dimension": 1, "radius": 1},)"
                      R"( {"type": "l2_ball", "dimension": 2, "radius": 2}]})"},
      {"simplex × simplex", R"({"type": "product", "parts": [{"type": "simplex", "dimension": 2},)"
                            R"( {"type": "simplex", "dimension": 3}]})"},
      {"box × box", R"({"type": "product", "parts": [{"type": "box", "lower": [-1], "upper": [1]},)"
                    R"( {"type": "box", "lower": [0, 0], "upper": [1, 1]}]})"},
      {"l1_ball", R"({"type": "l1_ball", "dimension": 2, "radius": 1})"},
      {"lp_ball 1.5", R"({"type": "lp_ball", "dimension": 3, "p": 1.5, "radius": 1})"},
      {"interval", R"({"type": "box", "lower": [-1], "upper": [1]})"},
  };
  return all;
}

std::vector<Named> climbed_learners() {
  std::vector<Named> all = registered_learners();
  for (const LearnerEntry& entry : learner_registry())
    if (entry.verify != nullptr)
      for (const Named& more : entry.verify().climbed) all.push_back(more);
  return all;
}

struct Rules {
  std::string name;
  Form form;
  std::string loss = {};
  GameSpace::Labels labels = GameSpace::Labels::kNone;
  bool positive = false;  // rows are price relatives
  bool corrects = false;  // labels are corrected
};

GameSpace::Labels labels_of(Measure measure) {
  return measure == Measure::kError    ? GameSpace::Labels::kReal
         : measure == Measure::kMargin ? GameSpace::Labels::kSigns
                                       : GameSpace::Labels::kNone;
}

const std::vector<Rules>& all_rules() {
  static const std::vector<Rules> all = [] {
    std::vector<Rules> rules = {{"gradients", Form::kGradients}, {"gradients, features shown", Form::kShownGradients}};
    for (const LossEntry& loss : loss_registry()) {
      const auto add = [&](const char* when, Form form) {
        rules.push_back({loss.name + ", features " + when, form, loss.name, labels_of(loss.measure),
                         loss.measure == Measure::kWealth});
      };
      if (loss.verify.with_label) add("with the label", Form::kFeaturesWithLabel);
      if (!loss.verify.at_play) continue;
      add("at play", Form::kFeaturesAtPlay);
      if (rules.back().labels == GameSpace::Labels::kNone) continue;
      Rules corrected = rules.back();
      corrected.name = loss.name + ", labels corrected";
      corrected.corrects = true;
      rules.push_back(std::move(corrected));
    }
    return rules;
  }();
  return all;
}

constexpr Round kCorrected = 1000;  // rounds that a label can be corrected: longer than any game

// What a row needs to be made again and again: specifications are read once.
class Maker {
 public:
  Maker(const std::string& set, const std::string& learner, const std::string& loss)
      : learner_(spec::parse_json(learner)), set_(make_set(spec::Node(spec::parse_json(set), "set"))) {
    if (loss.empty()) return;
    const spec::Value named{loss};
    loss_ = make_loss(spec::Node(named, "loss"));
  }

  // `corrects`: with room for labels that are corrected.
  Model model(bool corrects = false) const {
    ModelParts parts{.set = set_,
                     .learner = make_learner(spec::Node(learner_, "learner"), {.set = set_, .initial = {}}),
                     .loss = loss_};
    if (corrects) parts.revisable.rounds = kCorrected;
    return Model(std::move(parts));
  }
  bool revises() const { return model().learner().revises(); }
  const AnySet& set() const { return set_; }

  // The bases, as models by themselves, of a hedge over `set`.
  std::vector<Model> bases(const spec::Value& hedge, const AnySet& set) const {
    std::vector<Model> all;
    for (AnyLearner& base : learner_entry(hedge)->bases(hedge, {.set = set, .initial = {}}))
      all.emplace_back(set, std::move(base), loss_);
    return all;
  }

 private:
  spec::Value learner_;
  AnySet set_;
  std::optional<AnyLoss> loss_;
};

struct Row {
  Named learner, set;
  const Rules* rules;
  std::optional<std::size_t> hedge;  // the block of a hedge, 0 for a hedge over all, where Theorem 12 is climbed
};

bool is_hedge(const spec::Value& learner) { return learner_entry(learner)->bases != nullptr; }
bool has_blocks(const spec::Value& learner) { return learner_entry(learner)->one_per_part; }

// The blocks that are hedges; one block for learners that have none.
std::vector<std::size_t> hedges_in(const std::string& learner) {
  const spec::Value value = spec::parse_json(learner);
  if (is_hedge(value)) return {0};
  if (!has_blocks(value)) return {};
  std::vector<std::size_t> found;
  const spec::Array& blocks = learners_in(value);
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (is_hedge(blocks[k])) found.push_back(k);
  return found;
}

HedgeInside hedge_inside(const Maker& maker, const Row& row) {
  const spec::Value value = spec::parse_json(row.learner.spec);
  if (!has_blocks(value))
    return {[&maker, value] { return maker.bases(value, maker.set()); }, 0, maker.set().dimension()};
  const std::vector<AnySet> parts = maker.set().parts();
  HedgeInside hedge;
  for (std::size_t k = 0; k < *row.hedge; ++k) hedge.begin += parts[k].dimension();
  hedge.end = hedge.begin + parts[*row.hedge].dimension();
  const spec::Value inside = learners_in(value)[*row.hedge];
  hedge.bases = [&maker, inside, part = parts[*row.hedge]] { return maker.bases(inside, part); };
  return hedge;
}

// Theorems about strongly convex losses are given quadratics; some others count linear losses.
bool suits(const Row& row) {
  const Promise promise = promise_of(row.learner.spec);
  if (promise.in_the_mean) return false;  // who climbs knows the draws, which its theorem forbids
  const std::string& loss = row.rules->loss;
  if (row.rules->positive && row.set.name != "simplex") return false;
  if (row.rules->corrects && (row.hedge || !Maker(row.set.spec, row.learner.spec, loss).revises())) return false;
  if (row.hedge && row.rules->form == Form::kShownGradients) return false;  // they leave the weights alone
  if (row.hedge && has_blocks(spec::parse_json(row.learner.spec)) && !loss.empty() && !is_quadratic(loss)) return false;
  return loss.empty() || (promise.curvature == 0 && !promise.linear);
}

// The same row is climbed alike whatever other rows there are.
std::uint64_t seed_of(const Row& row) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::string* text : {&row.learner.spec, &row.set.spec, &row.rules->name})
    for (const char c : *text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash + row.hedge.value_or(99);
}

void play_row(const Row& row, std::uint64_t games, ClimbCheck& check) {
  const Maker maker(row.set.spec, row.learner.spec, row.rules->loss);
  const Arena arena{.set = row.set.spec,
                    .learner = row.learner.spec,
                    .make = [&] { return maker.model(row.rules->corrects); },
                    .form = row.rules->form,
                    .loss = row.rules->loss,
                    .curvature = promise_of(row.learner.spec).curvature,
                    .corrects = row.rules->corrects,
                    .more = row.rules->corrects ? fmt::format(", \"revisable\": {}", kCorrected) : std::string()};
  const GameSpace space{.dimension = maker.set().dimension(),
                        .form = row.rules->form,
                        .labels = row.rules->labels,
                        .positive = row.rules->positive,
                        .corrects = row.rules->corrects};
  HedgeInside hedge;
  Judge judge = [&](const SmallGame& game) { return judge_certificate(arena, game); };
  if (row.hedge) {
    hedge = hedge_inside(maker, row);
    judge = [&](const SmallGame& game) { return judge_hedge(arena, hedge, game); };
  }
  // Who promises nothing at the starts is not climbed.
  Climbed climbed = climb(space, judge, kStarts, seed_of(row));
  if (climbed.worst.promised() && !climbed.worst.violates() && games > kStarts)
    climbed = climb(space, judge, games, seed_of(row));
  check.games = climbed.games;
  check.worst = climbed.worst;
  if (climbed.worst.violates()) check.log = log_of(arena, climbed.game, climbed.worst.rounds);
}

std::vector<Row> rows(bool quick) {
  std::vector<Row> all;
  for (const Named& learner : climbed_learners()) {
    std::vector<std::optional<std::size_t>> promises = {std::nullopt};
    for (std::size_t block : hedges_in(learner.spec)) promises.emplace_back(block);
    std::size_t carried = 0;
    for (const Named& set : small_sets()) {
      if (!can_make(set.spec, learner.spec)) continue;
      // Quickly: every form on the first set that carries the learner, gradients on two more.
      ++carried;
      for (const Rules& rules : all_rules())
        for (const auto& promise : promises) {
          if (quick && (carried > 3 || (carried > 1 && rules.form != Form::kGradients))) continue;
          if (const Row row{learner, set, &rules, promise}; suits(row)) all.push_back(row);
        }
    }
  }
  return all;
}

}  // namespace

Jobs climb_jobs(const VerifyEffort& effort, std::vector<ClimbCheck>& result) {
  const std::uint64_t games = effort.climb > 0 ? effort.climb : effort.quick ? 200 : 2000;
  const std::vector<Row> all = rows(effort.quick);
  result.resize(all.size());
  Jobs jobs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Row& row = all[i];
    result[i] = {.learner = row.learner.name,
                 .set = row.set.name,
                 .game = row.rules->name,
                 .promise = row.hedge ? "Theorem 12" : "certificate",
                 .silent = !row.hedge && !promise_of(row.learner.spec).made};
    jobs.push_back([&check = result[i], row, games] { play_row(row, games, check); });
  }
  return jobs;
}

}  // namespace tarry::lab
