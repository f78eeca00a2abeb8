#include "tarry/learners/combined/hedge_facts.h"

namespace tarry {
namespace {

Cost hedge_cost(const spec::Value& learner, const CostScene& scene) {
  return cost_of_all(learner, std::vector<AnySet>(learners_in(learner).size(), scene.set), scene.touched);
}

std::vector<AnyLearner> hedge_bases(const spec::Value& learner, const LearnerSetting& setting) {
  std::vector<AnyLearner> bases;
  for (const spec::Value& base : learners_in(learner))
    bases.push_back(make_learner(spec::Node(base, "learner"), setting));
  return bases;
}

VerifyRows hedge_rows() {
  return {.climbed = {{"hedge gauge_ftrl", R"({"type": "hedge", "learners": [{"type": "gauge_ftrl"},)"
                                           R"( {"type": "delayed_ogd", "eta": 2}]})"},
                      {"hedge delayed_eg", R"({"type": "hedge", "learners": [{"type": "delayed_eg", "eta": 0.05},)"
                                           R"( {"type": "delayed_eg", "eta": 5}]})"},
                      {"hedge box", R"({"type": "hedge", "learners": [{"type": "box_ftrl"}, {"type": "adagrad"},)"
                                    R"( {"type": "box_ftrl_sc", "beta": 2}]})"}}};
}

}  // namespace

LearnerEntry with_facts(LearnerEntry hedge) {
  hedge.cost = hedge_cost;
  hedge.bases = hedge_bases;
  hedge.verify = hedge_rows;
  return hedge;
}

}  // namespace tarry
