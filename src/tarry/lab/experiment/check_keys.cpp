#include "tarry/lab/experiment/check_keys.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

#include "tarry/base/error.h"
#include "tarry/lab/delays/delays.h"
#include "tarry/lab/play/run.h"
#include "tarry/lab/play/words.h"
#include "tarry/learners/registry.h"
#include "tarry/model/model_spec.h"
#include "tarry/sets/registry.h"

namespace tarry::lab {
namespace {

// Throws where a key of the object is none of those listed for its type.
template <class Entry>
void refuse_unlisted(std::span<const Entry> entries, const spec::Node& node,
                     std::initializer_list<const char*> more = {}) {
  const auto type = node.find("type");
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& e) { return type && type->is_text() && type->text() == e.name; });
  if (entry == entries.end()) return;
  for (const spec::Key& key : entry->keys) node.has(key.name);
  for (const char* key : more) node.has(key);
  node.refuse_unknown_keys();
}

// With numbers that stand for those of the stream, much may be refused that is right; a wrong key or type is wrong
// always. A key that is missing may be one that was mistyped, which is the better complaint.
template <class Make, class Unlisted>
void refuse_wrong_keys(Make make, Unlisted unlisted) {
  try {
    make();
  } catch (const Error& error) {
    if (error.code() != Code::kBadSpec) return;
    const std::string_view message = error.what();
    if (message.find(" (known keys: ") != std::string_view::npos ||
        message.find(" (known types: ") != std::string_view::npos)
      throw;
    unlisted();
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

}  // namespace

void check_keys(const Experiment& experiment) {
  const Recorded some_times = [](double) { return arriving_at({}); };
  for (const NamedSpec& delay : experiment.delays) {
    const spec::Node node(delay.spec, "delay");
    refuse_wrong_keys([&] { make_delays(node, 1, some_times); },
                      [&] { refuse_unlisted(delay_registry(), spec::Node(delay.spec, node.type()), {"lost"}); });
  }
  const Words words = some_words();
  for (const LearnerSpec& learner : experiment.learners) {
    if (learner.is_task) {
      ModelSpec::read(learner.learner);  // which depends on no stream
      continue;
    }
    if (std::holds_alternative<std::monostate>(learner.set.as)) continue;  // a stream's own
    const spec::Value set = worded(LearnerSpec{.name = {}, .learner = learner.set}, words);
    const spec::Value spec = worded(learner, words);
    const spec::Node node(spec, "learner"), set_node(set, "set");
    refuse_wrong_keys(
        [&] { make_learner(node, {.set = make_set(set_node), .initial = {}, .standardised = learner.standardise}); },
        [&] {
          refuse_unlisted(set_registry(), spec::Node(set, set_node.type()));
          refuse_unlisted(learner_registry(), spec::Node(spec, node.type()));
        });
  }
}

}  // namespace tarry::lab
