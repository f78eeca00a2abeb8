// Who plays the drawn games, and on which sets.
#include <fmt/format.h>

#include <algorithm>

#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

constexpr int kDraws = 16;

std::vector<Named> chosen_learners(Round rounds) {
  std::vector<Named> all;
  for (const LearnerEntry& entry : learner_registry())
    if (entry.verify != nullptr)
      for (const auto& [name, spec] : entry.verify().drawn) all.push_back({name, with_rounds(spec, rounds)});
  return all;
}

}  // namespace

const std::vector<Named>& drawn_sets() {
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

std::vector<DrawnLearner> drawn_learners(Round rounds) {
  std::vector<DrawnLearner> all;
  for (const Named& learner : chosen_learners(rounds))
    all.push_back({learner, true, promise_of(learner.spec).in_the_mean ? kDraws : 1});
  const std::size_t chosen = all.size();
  for (const Named& learner : registered_learners()) {
    const auto same = [&](const Named& other) { return type_of(other.spec) == type_of(learner.spec); };
    if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(chosen), same))
      all.push_back({learner, false});
  }
  return all;
}

std::vector<Named> registered_learners() {
  std::vector<Named> all;
  for (const LearnerEntry& entry : learner_registry())
    for (std::size_t i = 0; i < entry.examples.size(); ++i)
      all.push_back(
          {entry.examples.size() == 1 ? entry.name : fmt::format("{} ({})", entry.name, i + 1), entry.examples[i]});
  return all;
}

std::string type_of(const std::string& learner) {
  const spec::Value value = spec::parse_json(learner);
  return spec::Node(value, "learner").at("type", "a learner's name").text();
}

std::string with_seed(const std::string& spec, int seed) {
  return fmt::format(R"({}, "seed": {}}})", spec.substr(0, spec.size() - 1), seed);
}

Promise promise_of(const std::string& learner) { return tarry::promise_of(spec::parse_json(learner)); }

}  // namespace tarry::lab
