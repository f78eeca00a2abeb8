#include "tarry/lab/experiment/check_keys.h"

#include <string_view>

#include "tarry/base/error.h"
#include "tarry/lab/delays/delays.h"
#include "tarry/lab/play/run.h"
#include "tarry/learners/registry.h"
#include "tarry/model/model_spec.h"
#include "tarry/sets/registry.h"

namespace tarry::lab {
namespace {

// With numbers that stand for those of the stream, much may be refused that is right; a wrong key is wrong always.
template <class Make>
void refuse_wrong_keys(Make make) {
  try {
    make();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (error.code() == Code::kBadSpec && (message.find(" (known keys: ") != std::string_view::npos ||
                                           message.find(" (known types: ") != std::string_view::npos))
      throw;
  }
}

// Some stream's numbers.
Words some_words() {
  return {.rounds = 1000,
          .rounds_per_copy = 100,
          .gradient_bound = 1,
          .mean_delay = 10,
          .dimension = 16,
          .users = 4,
          .items = 4,
          .seed = 1};
}

Dataset some_times() {
  Dataset data;
  data.begin = {0, 0};
  data.labels = {0};
  data.event_time = {0};
  data.feedback_time = {1};
  return data;
}

}  // namespace

void check_keys(const Experiment& experiment) {
  const Dataset times = some_times();
  for (const NamedSpec& delay : experiment.delays)
    refuse_wrong_keys([&] { make_delays(spec::Node(delay.spec, "delay"), 1, &times); });
  for (const LearnerSpec& learner : experiment.learners) {
    if (learner.is_task) {
      ModelSpec::read(learner.learner);  // which depends on no stream
      continue;
    }
    if (std::holds_alternative<std::monostate>(learner.set.as)) continue;  // a stream's own
    refuse_wrong_keys([&] {
      const Words words = some_words();
      const spec::Value set = worded(LearnerSpec{.name = {}, .learner = learner.set}, words);
      const spec::Value spec = worded(learner, words);
      const LearnerSetting setting{
          .set = make_set(spec::Node(set, "set")), .initial = {}, .standardised = learner.standardise};
      make_learner(spec::Node(spec, "learner"), setting);
    });
  }
}

}  // namespace tarry::lab
