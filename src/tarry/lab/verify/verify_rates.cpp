// How regret grows with T, and what a pool of undelayed copies costs beside one delayed learner.
#include <fmt/format.h>

#include <cmath>

#include "tarry/lab/hindsight/growth.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"

namespace tarry::lab {
namespace {

const std::vector<RateRow>& rates() {
  static const std::vector<RateRow> all = [] {
    std::vector<RateRow> rows;
    for (const LearnerEntry& entry : learner_registry())
      if (entry.verify != nullptr)
        for (const RateRow& row : entry.verify().rates) rows.push_back(row);
    return rows;
  }();
  return all;
}

const char* name_of(Instance instance) {
  return instance == Instance::kConstant ? "constant gradient"
         : instance == Instance::kSigns  ? "random signs"
                                         : "random quadratics";
}

double mean_regret(const RateRow& rate, Round rounds) {
  const std::string spec = with_rounds(rate.learner.spec, rounds);
  double sum = 0;
  for (int seed = 1; seed <= rate.seeds; ++seed) {
    const std::string& set = rate.set;
    Vec initial;
    if (rate.start) {
      initial.assign(static_cast<std::size_t>(make_model(set, spec).set().dimension()), 0.0);
      initial[0] = *rate.start;
    }
    Model model = make_model(set, promise_of(spec).in_the_mean ? with_seed(spec, seed) : spec, initial);
    const auto own_seed = static_cast<std::uint64_t>(seed);
    const auto delays = delays_from(R"({"type": "none"})", own_seed);
    RawStream stream = stream_of(rate.instance, model.set().dimension(), 1, own_seed);
    sum += regret(model.set(), play_raw(model, std::move(stream), rounds, *delays)).high;
  }
  return sum / rate.seeds;
}

double measured_exponent(const RateRow& rate, int first_power, int last_power) {
  Vec rounds, regret;
  for (int power = first_power; power <= last_power; ++power) {
    rounds.push_back(std::ldexp(1.0, power));
    regret.push_back(mean_regret(rate, Round{1} << power));
  }
  return fitted_exponent(rounds, regret).value_or(std::nan(""));
}

PoolCheck play_pool(const std::string& name, const std::string& learner, Round delay, Round rounds) {
  const std::string set = R"({"type": "l1_ball", "dimension": 100, "radius": 1})";
  Model model = make_model(set, learner);
  const std::string delay_spec = fmt::format(R"({{"type": "fixed", "delay": {}}})", delay);
  const auto delays = delays_from(delay_spec, 1);
  const Played played = play_raw(model, random_stream(100, 1, 1), rounds, *delays);
  return {.learner = name,
          .delay = fmt::format("fixed {}", delay),
          .rounds = rounds,
          .regret = regret(model.set(), played).high,
          .instances = model.learner().instances(),
          .state_bytes = save_learner(model.learner()).size()};
}

}  // namespace

Jobs rate_jobs(bool quick, std::vector<RateCheck>& result) {
  result.resize(rates().size());
  Jobs jobs;
  for (std::size_t i = 0; i < rates().size(); ++i)
    jobs.push_back([&result, i, quick] {
      const RateRow& rate = rates()[i];
      result[i] = {rate.learner.name, name_of(rate.instance), measured_exponent(rate, 8, quick ? 12 : 15), rate.theory,
                   rate.exact};
    });
  return jobs;
}

Jobs pool_jobs(bool quick, std::vector<PoolCheck>& result) {
  const Round rounds = quick ? 2000 : 20000;
  std::vector<NamedSpec> sides;
  for (const LearnerEntry& entry : learner_registry())
    if (entry.verify != nullptr)
      for (const NamedSpec& side : entry.verify().pools) sides.push_back(side);
  const std::vector<Round> delays = {1, 10, 100, 1000};
  result.resize(sides.size() * delays.size());
  Jobs jobs;
  for (const Round delay : delays)
    for (const NamedSpec& side : sides) {
      const std::string spec = with_rounds(with_rounds(side.spec, rounds), std::max<Round>(1, rounds / delay), "$C");
      jobs.push_back([&check = result[jobs.size()], name = side.name, spec, delay, rounds] {
        check = play_pool(name, spec, delay, rounds);
      });
    }
  return jobs;
}

}  // namespace tarry::lab
