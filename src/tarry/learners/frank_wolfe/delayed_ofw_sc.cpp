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
//
// Shorter forms, in the units of Lemma 5's proof (β = C₁ = 1, θ = D, κ = 8(1 + θ)²): ρ = 3.5τ^{−1/3} at most once in 16
// steps. If h' > κτ^{1/3} − ρ, then e ≥ 16θτ^{1/3}. A step with σ < 1 lowers h' by at least 128τ^{−1/3}, and one with σ
// = 1 leaves ½(κτ^{1/3} + ¼ + 3.5τ^{1/3}) + ρ ≤ κτ^{1/3}. Spurious gradients add at most 0.17C₁²T^{2/3}/β to
// Theorem 5.2.
//
// Searches that fail, with probability p ≤ 5e-4 (docs/matrices.md): h ≤ 1.9κτ^{1/3}. A step adds at most ¼, so
// h ≤ τ/4 + 0.33τ^{2/3} + 3.5 < 1.5κτ^{1/3} for τ ≤ 200. Let τ > 200 and h ≥ 1.5κτ^{1/3} around a step. If it fails, it
// adds at most GΔ + ρ ≤ 1.14κτ^{−1/3}. Otherwise e = h' − 7τ^{1/3} ≥ (5 + 24θ + 12θ²)τ^{1/3}, and h falls by at least
// 9.5κτ^{−1/3}. So v = (h/κ)² rises by at most 4.4 or falls by at least 13. An excursion begins with
// v ≤ 2.25τ^{2/3} + 3.5 and would have to rise by 43; e^{1.6v} falls in expectation, e^{−20.8} + p e^{7.04} < 1. So h
// passes 1.9κτ^{1/3} with probability below 1e-29 a sweep. Theorem 5.2's first term becomes 18√1.9 C₁C₂T^{2/3}/β <
// 24.9C₁C₂T^{2/3}/β, and with spurious gradients it is still at most Theorem 3's 6√2C₂(C₁ + 2C₂)T^{2/3}/β
// ≥ 25.4C₁C₂T^{2/3}/β.
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
