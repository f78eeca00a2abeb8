#include "tarry/learners/cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/learners/registry.h"

namespace tarry {

Cost& Cost::with(const Part& part) {
  const auto same = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.words == part.words; });
  if (same == parts.end())
    parts.push_back(part);
  else
    same->times += part.times;
  return *this;
}

Cost& Cost::with(const Cost& another) {
  for (const Part& part : another.parts) with(part);
  known = known && another.known;
  kept += another.kept;
  return *this;
}

std::optional<std::string> Cost::update() const {
  if (!known) return std::nullopt;
  if (parts.empty()) return "nothing";
  std::string words;
  for (const Part& part : parts) {
    words += words.empty() ? "" : "; ";
    words += part.times > 1 ? fmt::format("{} × {}", part.times, part.words) : part.words;
  }
  return words;
}

Cost cost_of(const spec::Value& learner, const CostScene& scene) {
  const LearnerEntry* entry = learner_entry(learner);
  return entry != nullptr && entry->cost != nullptr ? entry->cost(learner, scene) : unknown_cost(scene.set);
}

Cost unknown_cost(const AnySet& set) { return {.known = false, .kept = set.dimension()}; }

Cost touched_cost(const CostScene& scene) { return Cost{}.with(Cost::Part{scene.touched}); }

Cost full_cost(const AnySet& set, const std::string& words) {
  return Cost{.kept = set.dimension()}.with(Cost::Part{words});
}

std::string pass_over(Index coordinates) {
  return fmt::format("a pass over {} coordinate{}", coordinates, coordinates == 1 ? "" : "s");
}

const spec::Array& learners_in(const spec::Value& learner) {
  static const spec::Array none;
  const spec::Value* list = learner.find("learners");
  const auto* array = list != nullptr ? std::get_if<spec::Array>(&list->as) : nullptr;
  return array != nullptr ? *array : none;
}

// One set for each learner.
Cost cost_of_all(const spec::Value& learner, const std::vector<AnySet>& sets, const std::string& touched) {
  const spec::Array& learners = learners_in(learner);
  Cost all{.known = !learners.empty() && sets.size() == learners.size()};
  for (std::size_t k = 0; k < std::min(sets.size(), learners.size()); ++k)
    all.with(cost_of(learners[k], {sets[k], touched}));
  return all;
}

}  // namespace tarry
