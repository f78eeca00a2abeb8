// How regret grows with T, and what a pool of undelayed copies costs beside one delayed learner.
#include <fmt/format.h>

#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/lab/hindsight/growth.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/snapshot.h"

namespace tarry::lab {
namespace {

// One way to measure an exponent: specs with $T for the rounds, and a stream.
struct Rate {
  std::string learner, spec, set, instance;
  double theory;
  bool exact;
  double start;  // of the first coordinate, when the learner has a start; NaN: the set's own
  RawStream (*stream)(Round rounds, std::uint64_t seed);
  int seeds;
};

const std::vector<Rate>& rates() {
  static const double kOwn = std::nan("");
  static const std::string kSegment = R"({"type": "box", "lower": [-1], "upper": [1]})";
  static const std::string kUnitBall = R"({"type": "l2_ball", "dimension": 3, "radius": 1})";
  const auto constant = [](Round, std::uint64_t) { return constant_stream({1}, 1); };
  const auto constant3 = [](Round, std::uint64_t) { return constant_stream({1, 0, 0}, 1); };
  const auto signs3 = [](Round, std::uint64_t seed) { return sign_block_stream({1, 0, 0}, 1, 1, seed); };
  const auto quadratics = [](Round, std::uint64_t seed) { return quadratic_stream(3, 1, 0.9, seed); };
  static const std::vector<Rate> all = {
      {"delayed_ofw general", R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1})", kSegment,
       "constant gradient", 0.75, true, 1, constant, 1},
      {"delayed_ofw strongly_convex_set",
       R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1, "setting": "strongly_convex_set"})", kUnitBall,
       "constant gradient", 2.0 / 3, true, 1, constant3, 1},
      {"delayed_ofw_sc", R"({"type": "delayed_ofw_sc", "beta": 1})", kUnitBall, "random quadratics", 2.0 / 3, false,
       kOwn, quadratics, 8},
      {"delayed_ospf paper", R"({"type": "delayed_ospf", "horizon": $T, "gradient_bound": 1})", kUnitBall,
       "constant gradient", 2.0 / 3, true, kOwn, constant3, 4},
      {"delayed_ospf linear", R"({"type": "delayed_ospf", "setting": "linear", "horizon": $T, "gradient_bound": 1})",
       kUnitBall, "constant gradient", 0.5, true, kOwn, constant3, 64},
      {"delayed_ospf linear anytime", R"({"type": "delayed_ospf", "setting": "linear", "gradient_bound": 1})",
       kUnitBall, "random signs", 0.5, false, kOwn, signs3, 64},
      {"gauge_ftrl adaptive", R"({"type": "gauge_ftrl"})", kUnitBall, "random signs", 0.5, false, kOwn, signs3, 64},
      {"delayed_ogd", R"({"type": "delayed_ogd", "horizon": $T, "gradient_bound": 1})", kUnitBall, "constant gradient",
       0.5, true, kOwn, constant3, 1},
  };
  return all;
}

double mean_regret(const Rate& rate, Round rounds) {
  const std::string spec = with_rounds(rate.spec, rounds);
  double sum = 0;
  for (int seed = 1; seed <= rate.seeds; ++seed) {
    const std::string& set = rate.set;
    Vec initial;
    if (!std::isnan(rate.start)) {
      initial.assign(static_cast<std::size_t>(make_model(set, spec).set().dimension()), 0.0);
      initial[0] = rate.start;
    }
    Model model = make_model(set, plays_draws(spec) ? with_seed(spec, seed) : spec, initial);
    const auto own_seed = static_cast<std::uint64_t>(seed);
    const auto delays = delays_from(R"({"type": "none"})", own_seed);
    sum += regret(model.set(), play_raw(model, rate.stream(rounds, own_seed), rounds, *delays)).high;
  }
  return sum / rate.seeds;
}

double measured_exponent(const Rate& rate, int first_power, int last_power) {
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
      const Rate& rate = rates()[i];
      result[i] = {rate.learner, rate.instance, measured_exponent(rate, 8, quick ? 12 : 15), rate.theory, rate.exact};
    });
  return jobs;
}

// Each side tuned for itself: BOLD's copies for T/(d) rounds, the delayed learner for T.
Jobs pool_jobs(bool quick, std::vector<PoolCheck>& result) {
  const Round rounds = quick ? 2000 : 20000;
  const std::vector<Round> delays = {1, 10, 100, 1000};
  result.resize(2 * delays.size());
  Jobs jobs;
  for (std::size_t i = 0; i < delays.size(); ++i) {
    const Round delay = delays[i];
    jobs.push_back([&result, i, delay, rounds] {
      result[2 * i] = play_pool("delayed_ofw",
                                fmt::format(R"({{"type": "delayed_ofw", "horizon": {}, "gradient_bound": 1}})", rounds),
                                delay, rounds);
    });
    jobs.push_back([&result, i, delay, rounds] {
      result[2 * i + 1] = play_pool(
          "bold",
          fmt::format(R"({{"type": "bold", "base": {{"type": "delayed_ofw", "horizon": {}, "gradient_bound": 1}}}})",
                      std::max<Round>(1, rounds / delay)),
          delay, rounds);
    });
  }
  return jobs;
}

}  // namespace tarry::lab
