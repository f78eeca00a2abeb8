#include "tarry/service/watch/name_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace tarry::service {
namespace {

const Vocabulary* vocabulary_of(const Model& model) {
  const AnyEncoder* encoder = model.features().encoder();
  const auto* named = encoder != nullptr ? std::get_if<Encoder>(encoder) : nullptr;
  return named != nullptr ? &named->vocabulary() : nullptr;
}

const NamedFeatures* named_in(const Event& event) {
  const auto* play = std::get_if<Play>(&event);
  return play != nullptr && play->features ? std::get_if<NamedFeatures>(&*play->features) : nullptr;
}

}  // namespace

void NameWatch::begin(const Model& model) {
  if (begun_) return;
  begun_ = true;
  try {
    learn_names(model);
  } catch (const std::bad_alloc&) {
    watches_ = false;
  }
}

void NameWatch::learn_names(const Model& model) {
  const Vocabulary* vocabulary = vocabulary_of(model);
  watches_ = vocabulary != nullptr;
  if (!watches_) return;
  slots_ = vocabulary->size();
  shared_ = vocabulary->shared_values();
  for (Index slot = 0; slot < slots_ && watches_; ++slot) {
    const auto [first, second] = vocabulary->names_at(static_cast<Slot>(slot));
    for (const std::string_view name : {first, second})
      if (!name.empty() && known_.find(name) == known_.end()) known_.emplace(name);
    watches_ = known_.size() <= kKnown;
  }
}

void NameWatch::saw(const Model& model, const Event& event, Round round, std::int64_t at_ms) {
  const NamedFeatures* features = watches_ ? named_in(event) : nullptr;
  if (features == nullptr) return;
  try {
    look(model, *features, round, at_ms);
  } catch (const std::bad_alloc&) {
    watches_ = false;
  }
}

void NameWatch::look(const Model& model, const NamedFeatures& features, Round round, std::int64_t at_ms) {
  const Vocabulary& vocabulary = *vocabulary_of(model);
  if (vocabulary.size() != slots_ || vocabulary.shared_values() != shared_) {
    slots_ = vocabulary.size();
    shared_ = vocabulary.shared_values();
    for (const NamedFeature& feature : features)
      if (!std::holds_alternative<std::monostate>(feature.value) && known_.find(feature.name) == known_.end())
        add(feature.name, round, at_ms);
  }
  for (NewName& one : news_)
    one.rounds +=
        std::any_of(features.begin(), features.end(), [&](const auto& f) { return f.name == one.name; }) ? 1 : 0;
}

void NameWatch::add(const std::string& name, Round round, std::int64_t at_ms) {
  if (round > kWarmUp && news_.size() < kMost) {
    constexpr std::size_t kShort = 4;
    std::size_t most = name.size() <= kShort ? 1 : 2;
    NewName one{.name = name, .first = round, .at_ms = at_ms};
    for (const std::string& other : known_) {
      const bool is_new = std::any_of(news_.begin(), news_.end(), [&](const NewName& n) { return n.name == other; });
      const std::size_t apart = is_new ? most + 1 : letters_apart(name, other, most);
      if (apart > most || (apart == most && !one.like.empty())) continue;
      one.like = other;
      most = apart;
    }
    news_.push_back(std::move(one));
  }
  known_.insert(name);
  watches_ = known_.size() <= kKnown;
}

std::string NameWatch::told() const {
  std::string text;
  for (const NewName& one : news_)
    text += fmt::format("{}{} is new since round {}{}", text.empty() ? "" : "; ", shown(one.name), one.first,
                        one.like.empty() ? "" : fmt::format(": did you mean {}?", shown(one.like)));
  return text;
}

}  // namespace tarry::service
