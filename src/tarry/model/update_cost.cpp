#include "tarry/model/update_cost.h"

#include "tarry/learners/registry.h"

namespace tarry {

Index coordinates_kept(const spec::Value& learner, const AnySet& set) {
  return cost_of(learner, {set, "the gradient's non-zeros"}).kept;
}

std::optional<std::string> update_cost(const spec::Value& learner, const AnySet& set, const std::string& what) {
  return cost_of(learner, {set, what}).update();
}

}  // namespace tarry
