// Every learner on every kind of set, delay and adversary: regret beside the bound.
#include <fmt/format.h>

#include <cmath>

#include "tarry/base/error.h"
#include "tarry/lab/play/game.h"
#include "tarry/lab/verify/verify.h"

namespace tarry::lab {
namespace {

constexpr double kGradientBound = 1;
constexpr double kBeta = 0.5;
constexpr std::uint64_t kSeed = 20220919;

std::vector<Named> delay_models(Round rounds) {
  const auto root = static_cast<Round>(std::sqrt(static_cast<double>(rounds)));
  return {
      {"none", R"({"type": "none"})"},
      {"fixed √T", fmt::format(R"({{"type": "fixed", "delay": {}}})", root)},
      {"uniform to 2√T", fmt::format(R"({{"type": "uniform", "low": 1, "high": {}}})", 2 * root)},
      {"geometric √T", fmt::format(R"({{"type": "geometric", "mean": {}}})", root)},
      {"pareto 1.5", R"({"type": "pareto", "shape": 1.5, "scale": 2})"},
      {"burst √T", fmt::format(R"({{"type": "burst", "period": {}}})", root)},
      {"growing √t", R"({"type": "growing", "exponent": 0.5})"},
      {"adversarial √T/2", fmt::format(R"({{"type": "adversarial", "hold": {}}})", root / 2)},
      {"geometric √T, 10% lost", fmt::format(R"({{"type": "geometric", "mean": {}, "lost": 0.1}})", root)},
  };
}

struct Adversary {
  std::string name;
  bool oblivious;
  bool strongly_convex;
  RawStream (*make)(Index dimension, Round rounds);
};

Vec first_axis(Index dimension) {
  Vec e(static_cast<std::size_t>(dimension), 0.0);
  e[0] = 1;
  return e;
}

Round root_of(Round rounds) { return static_cast<Round>(std::sqrt(static_cast<double>(rounds))); }

const std::vector<Adversary>& adversaries() {
  static const std::vector<Adversary> all = {
      {"constant", true, false, [](Index n, Round) { return constant_stream(first_axis(n), kGradientBound); }},
      {"random", true, false, [](Index n, Round) { return random_stream(n, kGradientBound, kSeed); }},
      {"sign blocks", true, false,
       [](Index n, Round t) { return sign_block_stream(first_axis(n), kGradientBound, root_of(t), kSeed); }},
      {"square wave", true, false,
       [](Index n, Round t) { return square_wave_stream(first_axis(n), kGradientBound, 2 * root_of(t)); }},
      {"drifting", true, false, [](Index n, Round t) { return drifting_stream(n, kGradientBound, t / 3 + 1, kSeed); }},
      {"adaptive", false, false, [](Index, Round) { return adaptive_stream(kGradientBound); }},
      {"quadratics", true, true, [](Index n, Round) { return quadratic_stream(n, kBeta, 1, kSeed); }},
  };
  return all;
}

bool suits(const Named& learner, const Adversary& adversary) {
  const Promise promise = promise_of(learner.spec);
  if (promise.oblivious && !adversary.oblivious) return false;
  return promise.strongly_convex == adversary.strongly_convex;
}

// One game; its regret and bound are added to what the check has of both.
void play_once(BoundCheck& check, const Named& set, const std::string& learner, const Named& delay,
               const Adversary& adversary) {
  constexpr double kFeasible = 1e-9;
  Model model = make_model(set.spec, learner);
  const auto delays = delays_from(delay.spec, kSeed);
  Vec x(static_cast<std::size_t>(model.set().dimension()));
  const auto look = [&](const RoundPlayed&, const Played&) {
    model.write(x);
    check.feasible = check.feasible && model.set().contains(x, kFeasible);
  };
  const Stream stream = raw_game(adversary.make(model.set().dimension(), check.rounds), model.set().dimension());
  const Played played = play_game(model, stream, *delays, {.rounds = check.rounds, .after = look, .clock = {}});
  check.regret += regret(model.set(), played).high;
  if (const auto bound = model.certificate()) check.bound = check.bound.value_or(0) + *bound;
}

void play_check(BoundCheck& check, const Named& set, const DrawnLearner& learner, const Named& delay,
                const Adversary& adversary) {
  check.has_theorem = promise_of(learner.spec).made;
  check.always = learner.always;
  if (learner.draws == 1) return play_once(check, set, learner.spec, delay, adversary);
  for (int seed = 1; seed <= learner.draws; ++seed)
    play_once(check, set, with_seed(learner.spec, seed), delay, adversary);
  check.regret /= learner.draws;
  if (check.bound) *check.bound /= learner.draws;
}

}  // namespace

Jobs bound_jobs(bool quick, std::vector<BoundCheck>& result) {
  const Round rounds = quick ? 256 : 2048;
  struct Chosen {
    Named set;
    DrawnLearner learner;
    Named delay;
    const Adversary* adversary;
  };
  std::vector<Chosen> chosen;
  for (const DrawnLearner& learner : drawn_learners(rounds))
    for (const Named& set : drawn_sets()) {
      if (!can_make(set.spec, learner.spec)) continue;
      for (const Named& delay : delay_models(rounds))
        for (const Adversary& adversary : adversaries())
          if (suits(learner, adversary)) chosen.push_back({set, learner, delay, &adversary});
    }
  result.resize(chosen.size());
  Jobs jobs;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    jobs.push_back([&result, i, c = chosen[i], rounds] {
      result[i].learner = c.learner.name;
      result[i].set = c.set.name;
      result[i].delay = c.delay.name;
      result[i].adversary = c.adversary->name;
      result[i].rounds = rounds;
      play_check(result[i], c.set, c.learner, c.delay, *c.adversary);
    });
  return jobs;
}

}  // namespace tarry::lab
