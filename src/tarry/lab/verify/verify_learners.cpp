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
  const auto with = [&](const std::string& spec) { return with_rounds(spec, rounds); };
  return {
      {"delayed_ofw general", with(R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1})")},
      {"delayed_ofw strongly_convex_set",
       with(R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1, "setting": "strongly_convex_set"})")},
      {"delayed_ofw delay_aware", with(R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1,)"
                                       R"( "setting": "delay_aware", "mean_delay": 20})")},
      {"delayed_ofw unknown horizon", R"({"type": "delayed_ofw", "horizon": "unknown", "gradient_bound": 1})"},
      {"delayed_ofw unknown gradient_bound",
       with(R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": "unknown"})")},
      {"delayed_ospf paper", with(R"({"type": "delayed_ospf", "horizon": $T, "gradient_bound": 1})")},
      {"delayed_ospf retuned",
       with(R"({"type": "delayed_ospf", "horizon": $T, "gradient_bound": 1, "setting": "retuned"})")},
      {"delayed_ospf linear", with(R"({"type": "delayed_ospf", "setting": "linear", "horizon": $T,)"
                                   R"( "gradient_bound": 1, "mean_delay": 20})")},
      {"delayed_ospf linear anytime", R"({"type": "delayed_ospf", "setting": "linear", "gradient_bound": 1})"},
      {"gauge_ftrl fixed", R"({"type": "gauge_ftrl", "eta": 0.05})"},
      {"gauge_ftrl anytime", R"({"type": "gauge_ftrl", "gradient_bound": 1})"},
      {"gauge_ftrl adaptive", R"({"type": "gauge_ftrl"})"},
      {"gauge_ftrl light", R"({"type": "gauge_ftrl", "light": true})"},
      {"delayed_eg fixed", R"({"type": "delayed_eg", "eta": 0.05})"},
      {"delayed_eg", R"({"type": "delayed_eg"})"},
      {"delayed_ogd", with(R"({"type": "delayed_ogd", "horizon": $T, "gradient_bound": 1, "mean_delay": 20})")},
      {"delayed_ofw_sc", R"({"type": "delayed_ofw_sc", "beta": 0.5})"},
      {"delayed_ogd_sc", R"({"type": "delayed_ogd_sc", "beta": 0.5})"},
  };
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
    all.push_back({learner, true, plays_draws(learner.spec) ? kDraws : 1});
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

bool plays_draws(const std::string& learner) {
  const spec::Value value = spec::parse_json(learner);
  return type_of(learner) == "delayed_ospf" && spec::Node(value, "learner").text_or("setting", "paper") == "linear";
}

bool claims_nothing(const std::string& learner) {
  const spec::Value value = spec::parse_json(learner);
  const spec::Node node(value, "learner");
  if (type_of(learner) == "per_block" && node.text_or("gradients", "played") == "fresh") return true;
  static const std::vector<std::string> types = {"bold", "box_ftrl_sc", "delayed_ogd_sc", "round_robin", "stay"};
  return std::find(types.begin(), types.end(), type_of(learner)) != types.end();
}

}  // namespace tarry::lab
