#include "tarry/lab/play/words.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/learners/registry.h"

namespace tarry::lab {
namespace {

using spec::Value;

bool is_size(const std::string& key) { return key == "dimension" || key == "rows" || key == "cols"; }

Index size_in(const std::string& word, const Words& words) {
  const Index size = word == "users" ? words.users : words.items;
  if (size == 0) throw Error(Code::kBadSpec, fmt::format("\"{}\": this stream has no ratings", word));
  return size;
}

[[noreturn]] void refuse_unforeseen(const char* what) {
  throw Error(Code::kBadSpec, fmt::format("{}: the delays of this stream are not known beforehand", what));
}

}  // namespace

void replace_words(Value& value, const Words& words) {
  auto* object = std::get_if<spec::Object>(&value.as);
  if (auto* array = std::get_if<spec::Array>(&value.as))
    for (Value& element : *array) replace_words(element, words);
  if (object == nullptr) return;
  for (auto& [key, member] : *object) {
    const auto* word = std::get_if<std::string>(&member.as);
    if (word == nullptr) {
      replace_words(member, words);
    } else if (key == "horizon" && *word == "rounds") {
      member.as = words.rounds;
    } else if (key == "horizon" && *word == "rounds_per_copy") {
      if (words.rounds_per_copy == 0) refuse_unforeseen("horizon = \"rounds_per_copy\"");
      member.as = words.rounds_per_copy;
    } else if (key == "gradient_bound" && *word == "stream") {
      if (words.gradient_bound == 0)
        throw Error(Code::kBadSpec, "gradient_bound = \"stream\": this stream's gradient bound is not known");
      member.as = words.gradient_bound;
    } else if (key == "mean_delay" && *word == "delays") {
      if (words.mean_delay == 0) refuse_unforeseen("mean_delay = \"delays\"");
      member.as = words.mean_delay;
    } else if (key == "dimension" && *word == "stream") {
      member.as = words.dimension;
    } else if (is_size(key) && (*word == "users" || *word == "items")) {
      member.as = size_in(*word, words);
    }
  }
  // Random learners draw by the run's seed unless they name their own.
  if (draws(value) && value.find("seed") == nullptr)
    object->push_back({"seed", Value{static_cast<std::int64_t>(words.seed)}});
}

spec::Value worded(const LearnerSpec& learner, const Words& words) {
  Value spec = learner.learner;
  replace_words(spec, words);
  return spec;
}

}  // namespace tarry::lab
