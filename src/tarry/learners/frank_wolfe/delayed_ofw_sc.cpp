#include "tarry/learners/frank_wolfe/delayed_ofw_sc.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/spec/node.h"

namespace tarry {

OfwScRule::OfwScRule(double beta) : beta_(beta) {
  if (!(beta > 0 && beta <= spec::kLargest))
    throw Error(Code::kBadSpec, fmt::format("delayed_ofw_sc: beta must be positive (beta = {})", beta));
}

// Lemma 5 of docs/theory.md: ε = 7C₁²τ^{1/3}/β, with the largest gradient so far for G. Half for the oracle; the rest,
// at a step of τ^{−2/3}, for shorter forms of y and p.
Allowance OfwScRule::allowed(double diameter) const {
  const double c1 = largest_ + beta_ * diameter, cube_root = tarry::cbrt(static_cast<double>(tau_));
  const double epsilon = 7 * c1 * c1 * cube_root / beta_, per_step = epsilon / (4 * cube_root * cube_root);
  return {epsilon / (2 * diameter), per_step, per_step / diameter};
}

LearnerEntry delayed_ofw_sc_entry() {
  std::vector<spec::Key> keys = effort_keys();
  keys.insert(keys.begin(), {"beta", "a positive number: the losses' strong convexity", ""});
  return {.name = "delayed_ofw_sc",
          .summary = "Delayed online Frank-Wolfe for strongly convex losses (Algorithm 2)",
          .keys = keys,
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            return DelayedOfwSc<AnySet>{setting.set, OfwScRule(node.number("beta")), setting.shape(),
                                        read_effort(node, setting)};
          },
          .examples = {R"({"type": "delayed_ofw_sc", "beta": 0.7})",
                       R"({"type": "delayed_ofw_sc", "beta": 0.7, "oracle_calls": 4})",
                       R"({"type": "delayed_ofw_sc", "beta": 0.7, "sample": true})"},
          .cost = frank_wolfe_cost,
          .promise = [](const spec::Value& learner) -> Promise {
            return {.losses = "losses strongly convex with the learner's beta",
                    .strongly_convex = true,
                    .curvature = learner.number_at("beta")};
          },
          .draws = draws_vertices,
          .verify = []() -> VerifyRows {
            return {.drawn = {{"delayed_ofw_sc", R"({"type": "delayed_ofw_sc", "beta": 0.5})"}},
                    .rates = {{.learner = {"delayed_ofw_sc", R"({"type": "delayed_ofw_sc", "beta": 1})"},
                               .set = R"({"type": "l2_ball", "dimension": 3, "radius": 1})",
                               .instance = Instance::kQuadratics,
                               .theory = 2.0 / 3,
                               .seeds = 8}}};
          },
          .revises = "delayed_ofw_sc"};
}

}  // namespace tarry
