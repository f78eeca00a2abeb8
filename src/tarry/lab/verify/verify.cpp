#include "tarry/lab/verify/verify.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "tarry/base/error.h"
#include "tarry/linalg/parallel.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"

namespace tarry::lab {

bool AnswerCheck::passed() const { return (std::fabs(measured - exact) <= tolerance) != must_differ; }

bool Verification::passed() const {
  const auto all = [](const auto& checks) {
    return std::all_of(checks.begin(), checks.end(), [](const auto& check) { return check.passed(); });
  };
  return all(bounds) && all(climbs) && all(answers) && all(rates);
}

std::string with_rounds(std::string spec, Round rounds, const std::string& mark) {
  const std::string number = std::to_string(rounds);
  for (std::size_t at = spec.find(mark); at != std::string::npos; at = spec.find(mark, at))
    spec.replace(at, mark.size(), number);
  return spec;
}

RawStream stream_of(Instance instance, Index dimension, Round delay, std::uint64_t seed) {
  Vec axis(static_cast<std::size_t>(dimension), 0.0);
  axis[0] = 1;
  switch (instance) {
    case Instance::kConstant:
      return constant_stream(axis, 1);
    case Instance::kSquareWave:
      return square_wave_stream(axis, 1, 2 * delay);
    case Instance::kSigns:
      return sign_block_stream(axis, 1, 1, seed);
    case Instance::kQuadratics:
      break;
  }
  return quadratic_stream(dimension, 1, 0.9, seed);
}

Model make_model(const std::string& set, const std::string& learner, const Vec& initial, const std::string& loss) {
  ModelSpec spec{.set = spec::parse_json(set), .learner = spec::parse_json(learner), .initial = initial};
  if (!loss.empty()) spec.loss = spec::Value{loss};
  return tarry::make_model(spec);
}

std::unique_ptr<Delays> delays_from(const std::string& text, std::uint64_t seed) {
  const spec::Value value = spec::parse_json(text);
  return make_delays(spec::Node(value, "delay"), seed);
}

bool can_make(const std::string& set, const std::string& learner) {
  try {
    make_model(set, learner);
    return true;
  } catch (const Error& error) {
    if (error.code() == Code::kUnsupported) return false;
    throw;
  }
}

Played play_raw(Model& model, RawStream stream, Round rounds, Delays& delays) {
  const Stream game = raw_game(std::move(stream), model.set().dimension());
  return play_game(model, game, delays, {.rounds = rounds, .after = {}, .clock = {}});
}

Verification verify(const VerifyEffort& effort, const Progress& progress) {
  const bool quick = effort.quick;
  Verification result;
  std::vector<BoundCheck> labelled;
  std::vector<ClimbCheck> choices;
  Jobs jobs;
  for (Jobs part : {answer_jobs(quick, result.answers), rate_jobs(quick, result.rates), pool_jobs(quick, result.pools),
                    bound_jobs(quick, result.bounds), label_jobs(quick, labelled), climb_jobs(effort, result.climbs),
                    choice_climb_jobs(effort, choices)})
    jobs.insert(jobs.end(), part.begin(), part.end());
  std::mutex one_at_a_time;
  std::size_t done = 0;
  parallel_chunks(static_cast<Index>(jobs.size()), 1, [&](Index k, Index, Index) {
    jobs[static_cast<std::size_t>(k)]();
    const std::lock_guard lock(one_at_a_time);
    ++done;
    if (progress) progress(done, jobs.size());
  });
  result.bounds.insert(result.bounds.end(), labelled.begin(), labelled.end());
  result.climbs.insert(result.climbs.end(), choices.begin(), choices.end());
  return result;
}

}  // namespace tarry::lab
