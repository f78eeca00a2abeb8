// Every learner on every kind of set, delay and adversary: regret beside the bound.
#include <fmt/format.h>

#include <cmath>

#include "tarry/error.h"
#include "tarry/lab/verify.h"

namespace tarry::lab {
namespace {

constexpr double kGradientBound = 1;
constexpr double kBeta = 0.5;
constexpr std::uint64_t kSeed = 20220919;

std::vector<Named> learners(Round rounds) {
  const auto with = [&](const std::string& spec) { return with_rounds(spec, rounds); };
  return {
      {"delayed_ofw general", with(R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1})")},
      {"delayed_ofw strongly_convex_set",
       with(R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1, "setting": "strongly_convex_set"})")},
      {"delayed_ofw delay_aware", with(R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1,)"
                                       R"( "setting": "delay_aware", "mean_delay": 20})")},
      {"delayed_ofw unknown horizon", R"({"type": "delayed_ofw", "horizon": "unknown", "gradient_bound": 1})"},
      {"delayed_ofw unknown gradient_bound",
       with(R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": "unknown"})")},
      {"delayed_ospf paper", with(R"({"type": "delayed_ospf", "horizon": $T, "gradient_bound": 1})")},
      {"delayed_ospf retuned",
       with(R"({"type": "delayed_ospf", "horizon": $T, "gradient_bound": 1, "setting": "retuned"})")},
      {"gauge_ftrl fixed", R"({"type": "gauge_ftrl", "eta": 0.05})"},
      {"gauge_ftrl anytime", R"({"type": "gauge_ftrl", "gradient_bound": 1})"},
      {"gauge_ftrl adaptive", R"({"type": "gauge_ftrl"})"},
      {"gauge_ftrl light", R"({"type": "gauge_ftrl", "light": true})"},
      {"delayed_eg fixed", R"({"type": "delayed_eg", "eta": 0.05})"},
      {"delayed_eg", R"({"type": "delayed_eg"})"},
      {"delayed_ogd", with(R"({"type": "delayed_ogd", "horizon": $T, "gradient_bound": 1, "mean_delay": 20})")},
      {"delayed_ofw_sc", R"({"type": "delayed_ofw_sc", "beta": 0.5})"},
      {"delayed_ogd_sc", R"({"type": "delayed_ogd_sc", "beta": 0.5})"},
  };
}

const std::vector<Named>& sets() {
  static const std::vector<Named> all = {
      {"l1_ball", R"({"type": "l1_ball", "dimension": 6, "radius": 1})"},
      {"l2_ball", R"({"type": "l2_ball", "dimension": 6, "radius": 1})"},
      {"lp_ball 1.5", R"({"type": "lp_ball", "dimension": 6, "p": 1.5, "radius": 1})"},
      {"simplex", R"({"type": "simplex", "dimension": 6})"},
      {"box", R"({"type": "box", "dimension": 4, "lower": -1, "upper": 1})"},
      {"ellipsoid", R"({"type": "ellipsoid", "semi_axes": [1, 0.5, 2]})"},
      {"nuclear_ball", R"({"type": "nuclear_ball", "rows": 3, "cols": 2, "radius": 1})"},
      {"hypersimplex", R"({"type": "hypersimplex", "dimension": 6, "k": 2})"},
      {"product", R"({"type": "product", "parts": [{"type": "l1_ball", "dimension": 4, "radius": 1},)"
                  R"( {"type": "simplex", "dimension": 3}]})"},
  };
  return all;
}

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

bool suits(const std::string& learner, const Adversary& adversary) {
  if (learner.starts_with("delayed_ospf") && !adversary.oblivious) return false;
  return learner.ends_with("_sc") == adversary.strongly_convex;
}

void play_check(BoundCheck& check, const Named& set, const Named& learner, const Named& delay,
                const Adversary& adversary) {
  constexpr double kFeasible = 1e-9;
  Model model = make_model(set.spec, learner.spec);
  const auto delays = delays_from(delay.spec, kSeed);
  Vec x(static_cast<std::size_t>(model.set().dimension()));
  const auto look = [&](const RoundPlayed&, const Played&) {
    model.write(x);
    check.feasible = check.feasible && model.set().contains(x, kFeasible);
  };
  const Stream stream = raw_game(adversary.make(model.set().dimension(), check.rounds), model.set().dimension());
  const Played played = play_game(model, stream, *delays, {.rounds = check.rounds, .after = look, .clock = {}});
  check.regret = regret(model.set(), played).high;
  check.has_theorem = learner.name != "delayed_ogd_sc";
  check.bound = model.certificate();
}

}  // namespace

Jobs bound_jobs(bool quick, std::vector<BoundCheck>& result) {
  const Round rounds = quick ? 256 : 2048;
  struct Chosen {
    Named set, learner, delay;
    const Adversary* adversary;
  };
  std::vector<Chosen> chosen;
  for (const Named& learner : learners(rounds))
    for (const Named& set : sets()) {
      if (!can_make(set.spec, learner.spec)) continue;
      for (const Named& delay : delay_models(rounds))
        for (const Adversary& adversary : adversaries())
          if (suits(learner.name, adversary)) chosen.push_back({set, learner, delay, &adversary});
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
