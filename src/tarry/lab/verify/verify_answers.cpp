// Instances whose regret is known exactly (docs/theory.md, "Known answers").
#include <fmt/format.h>

#include <cmath>

#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"

namespace tarry::lab {
namespace {

constexpr const char* kInterval = R"({"type": "box", "lower": [-1], "upper": [1]})";  // D = 2
// Sets of width 2 along the first axis, symmetric about 0: the cube for learners that need a box.
constexpr const char* kBall = R"({"type": "l2_ball", "dimension": 3, "radius": 1})";
constexpr const char* kCube = R"({"type": "linf_ball", "dimension": 3, "radius": 1})";
constexpr const char* kSimplex = R"({"type": "simplex", "dimension": 3})";
constexpr const char* kProduct = R"({"type": "product", "parts": [{"type": "l2_ball", "dimension": 2, "radius": 1},)"
                                 R"( {"type": "box", "lower": [-1], "upper": [1]}]})";

AnswerCheck known_answer(const AnswerRow& row) {
  Model model = make_model(kInterval, row.learner.spec, {row.start});
  const auto delays = delays_from(fmt::format(R"({{"type": "fixed", "delay": {}}})", row.delay), 0);
  const Played played = play_raw(model, stream_of(row.stream, 1, row.delay, 0), row.rounds, *delays);
  return {.instance = row.instance,
          .learner = row.learner.name,
          .measured = regret(model.set(), played).high,
          .exact = row.exact,
          .tolerance = row.tolerance};
}

// E|S_N| for N random signs, an even number: N times the chance of as many of each, ½ · ¾ · … · (N − 1)/N.
double mean_absolute_walk(Round steps) {
  const auto n = static_cast<double>(steps);
  double mean = n;
  for (double i = 2; i <= n; i += 2) mean *= (i - 1) / i;
  return mean;
}

// Instance 3: a sign drawn for each block of d rounds, whose feedback comes d rounds late, cannot be known by any
// decision of its block. The mean regret over seeds is then ½ w G d E|S_N| for every learner; a lower one means that
// the future leaks. `delay` below `block` plants such a leak.
AnswerCheck no_foresight(const std::string& name, const std::string& learner, Round delay, int seeds) {
  constexpr Round kBlock = 8, kBlocks = 32;
  const char* set = can_make(kBall, learner)      ? kBall
                    : can_make(kCube, learner)    ? kCube
                    : can_make(kSimplex, learner) ? kSimplex
                                                  : kProduct;
  const double width = set == kSimplex ? 1 : 2;  // along the first axis
  const double exact = 0.5 * width * static_cast<double>(kBlock) * mean_absolute_walk(kBlocks);
  double sum = 0, squares = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const auto own_seed = static_cast<std::uint64_t>(seed) + 1;
    Model model = make_model(set, learner);
    const auto delays = delays_from(fmt::format(R"({{"type": "fixed", "delay": {}}})", delay), own_seed);
    const RawStream stream = sign_block_stream({1, 0, 0}, 1, kBlock, own_seed);
    const Played played = play_raw(model, stream, kBlock * kBlocks, *delays);
    // The learner's own loss has mean 0; the comparator's part has the exact mean and would only add noise.
    sum += played.loss;
    squares += played.loss * played.loss;
  }
  const double count = seeds, mean = sum / count;
  const double deviation = std::sqrt(std::max(0.0, squares / count - mean * mean) / count);
  constexpr double kSigmas = 4;  // two-sided: once in 16 000 by chance; the seeds are fixed
  return {.instance = fmt::format("3: sign blocks, {} seeds{}", seeds, delay < kBlock ? ", a planted leak" : ""),
          .learner = name,
          .measured = exact + mean,
          .exact = exact,
          .tolerance = kSigmas * deviation + 1e-12,
          .must_differ = delay < kBlock};
}

}  // namespace

Jobs answer_jobs(bool quick, std::vector<AnswerCheck>& result) {
  std::vector<std::function<AnswerCheck()>> makers;
  std::vector<NamedSpec> planted;
  for (const LearnerEntry& entry : learner_registry()) {
    if (entry.verify == nullptr) continue;
    const VerifyRows rows = entry.verify();
    for (const AnswerRow& row : rows.answers) makers.push_back([=] { return known_answer(row); });
    planted.insert(planted.end(), rows.planted.begin(), rows.planted.end());
  }
  const int seeds = quick ? 200 : 1000;
  for (const auto& [name, spec] : registered_learners())
    makers.push_back([=, name = name, spec = spec] { return no_foresight(name, spec, 8, seeds); });
  for (const auto& [name, spec] : planted)
    makers.push_back([=, name = name, spec = spec] { return no_foresight(name, spec, 2, seeds); });
  result.resize(makers.size());
  Jobs jobs;
  for (std::size_t i = 0; i < makers.size(); ++i)
    jobs.push_back([&result, i, make = makers[i]] { result[i] = make(); });
  return jobs;
}

}  // namespace tarry::lab
