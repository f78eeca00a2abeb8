#include "tarry/learners/delayed_ofw_sc.h"

#include <fmt/format.h>

#include "tarry/error.h"
#include "tarry/learners/registry.h"
#include "tarry/spec/node.h"

namespace tarry {

OfwScRule::OfwScRule(double beta) : beta_(beta) {
  if (!(beta > 0 && beta <= spec::kLargest))
    throw Error(Code::kBadSpec, fmt::format("delayed_ofw_sc: beta must be positive (beta = {})", beta));
}

LearnerEntry delayed_ofw_sc_entry() {
  return {.name = "delayed_ofw_sc",
          .summary = "Delayed online Frank-Wolfe for strongly convex losses (Algorithm 2)",
          .keys = {{"beta", "a positive number: the losses' strong convexity", ""}, oracle_calls_key(), storage_key()},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            return DelayedOfwSc<AnySet>{setting.set, OfwScRule(node.number("beta")), setting.shape(),
                                        read_storage(node), read_oracle_calls(node)};
          },
          .examples = {R"({"type": "delayed_ofw_sc", "beta": 0.7})",
                       R"({"type": "delayed_ofw_sc", "beta": 0.7, "oracle_calls": 4})"}};
}

}  // namespace tarry
