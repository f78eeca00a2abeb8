#include "tarry/learners/frank_wolfe/delayed_ofw.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/frank_wolfe/delayed_ofw_rows.h"
#include "tarry/learners/frank_wolfe/restarting_ofw.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/checks.h"
#include "tarry/spec/node.h"
#include "tarry/theory/step_size.h"

namespace tarry {
namespace {

bool is_unknown(const spec::Node& node, const std::string& key) {
  const auto member = node.find(key);
  return member && member->is_text() && member->text() == "unknown";
}

double eta_of_setting(const spec::Node& node, const AnySet& set, Index batch) {
  const double horizon = read_horizon(node), bound = node.positive("gradient_bound");
  const std::string setting = node.text_or("setting", "general");
  if (node.has("mean_delay") && setting != "delay_aware")
    node.fail_whole("mean_delay is read only with setting = \"delay_aware\"");
  if (set.diameter() == 0) return 1;  // a single point: every step is the same
  if (setting == "general") return theory::ofw_eta_batched(set.diameter(), bound, horizon, static_cast<double>(batch));
  if (batch > 1) node.fail_whole("batch goes with setting = \"general\" alone", Code::kUnsupported);
  if (setting == "strongly_convex_set") {
    if (!set.strong_convexity())
      node.fail_whole("setting = \"strongly_convex_set\" needs a strongly convex set, but this set is not one",
                      Code::kUnsupported);
    return theory::ofw_eta_strongly_convex_set(set.diameter(), bound, horizon);
  }
  if (setting == "delay_aware") {
    const spec::Node mean = node.at("mean_delay", "a number of at least 1");
    if (mean.number() < 1) mean.fail("at least 1 (no delay is 1)");
    return theory::ofw_eta_delay_aware(set.diameter(), bound, horizon, mean.number());
  }
  node.at("setting").fail("\"general\", \"strongly_convex_set\" or \"delay_aware\"");
}

double read_eta(const spec::Node& node, const AnySet& set, Index batch) {
  if (!node.has("eta")) {
    if (!node.has("horizon") && !node.has("gradient_bound")) node.fail_whole("give eta, or horizon and gradient_bound");
    return eta_of_setting(node, set, batch);
  }
  for (const char* key : {"horizon", "gradient_bound", "setting", "mean_delay"})
    if (node.has(key)) node.fail_whole(fmt::format("give either eta or {}, not both", key));
  return node.positive("eta");
}

AnyLearner read(const spec::Node& node, const LearnerSetting& setting) {
  const bool any_horizon = is_unknown(node, "horizon"), any_bound = is_unknown(node, "gradient_bound");
  const Effort effort = read_effort(node, setting);
  const Index batch = node.has("batch") ? node.count("batch", 1, Index{1} << 40) : 1;
  if (!any_horizon && !any_bound)
    return DelayedOfw<AnySet>(setting.set, OfwRule(read_eta(node, setting.set, batch), batch), setting.shape(), effort);
  if (any_horizon && any_bound)
    node.fail_whole("horizon and gradient_bound cannot both be unknown", Code::kUnsupported);
  for (const char* key : {"eta", "mean_delay"})
    if (node.has(key)) node.fail_whole(fmt::format("{} does not go with an unknown horizon or gradient_bound", key));
  if (batch > 1) node.fail_whole("batch does not go with an unknown horizon or gradient_bound", Code::kUnsupported);
  if (node.text_or("setting", "general") != "general")
    node.fail_whole("an unknown horizon or gradient_bound goes with setting = \"general\" alone", Code::kUnsupported);
  if (any_horizon) return AnytimeOfw(setting.set, node.positive("gradient_bound"), setting.shape(), effort);
  return ScalingOfw(setting.set, read_horizon(node), setting.shape(), effort);
}

}  // namespace

OfwRule::OfwRule(double eta, Index batch) : eta_(eta), batch_(batch) {
  check_positive("delayed_ofw", "eta", eta);
  if (batch < 1) throw Error(Code::kBadSpec, fmt::format("delayed_ofw: batch must be at least 1 (batch = {})", batch));
}

// Lemma 4 of docs/theory.md holds with N = (D/(ηkG))^{4/3} and ε = D²N^{−1/2}, k gradients a step, with the largest
// so far for G: it only grows, so that N was never too small. Half for the oracle; the rest, at a step of N^{−1/2}, for
// shorter forms of y. p has only y₁ of low rank, which is not cut.
//
// Over matrices a search for a singular pair fails with probability p ≤ 5e-4, and then loses its step's progress alone
// (docs/matrices.md). Let s = N^{−1/2}, and write the gap as h = D²N^{−1/2}y²; when G grows, N and y fall. By (4.1),
// before a step y'² ≤ y² + sy + s²/2 ≤ (y + s/√2)², and by Lemma 3(b) at σ = s one that does not fail has
// (y⁺)² ≤ y² − s(y − 2)(y + 1). So for y ≥ 2.5, with s/10 for a shorter form (F may rise by σε/2 at σ = s: Lemma 4's
// sum),
//   not failed: y⁺ ≤ y − s(y − 2)(y + 1)/(2y) ≤ y − 0.35s,     failed: y⁺ ≤ y + s/√2 + s/10 ≤ y + 0.81s.
// There exp(8(y − 2.5)/s) falls in expectation: e^{−2.8} + p e^{6.48} < 1. An excursion above 2.5 starts at 2.5 + 0.81s
// at most and reaches 3 with probability at most exp(8(0.81 − 0.5/s)), below 2e-13 for N > 81. So, except with
// probability 2e-13 a sweep, √h ≤ 3DN^{−1/4}; for N ≤ 81 the distance is at most D ≤ 3DN^{−1/4} anyway.
Allowance OfwRule::allowed(double diameter) const {
  const double share = std::min(1.0, eta_ * static_cast<double>(batch_) * largest_ / diameter);
  const double step = tarry::cbrt(share * share), epsilon = diameter * diameter * step;
  return {epsilon / (2 * diameter), step * epsilon / 2, 0};
}

LearnerEntry delayed_ofw_entry() {
  std::vector<spec::Key> keys = {{"eta", "a positive number (or give horizon and gradient_bound)", "optional"},
                                 {"horizon", "the number of rounds T, or \"unknown\"", "optional"},
                                 {"gradient_bound", "a bound on the gradients' 2-norm, G, or \"unknown\"", "optional"},
                                 {"setting", "\"general\", \"strongly_convex_set\" or \"delay_aware\"", "\"general\""},
                                 {"mean_delay", "a number of at least 1, for delay_aware", "optional"},
                                 {"batch", "a whole number of at least 1: gradients per step (1: the paper's)", "1"}};
  for (spec::Key& key : effort_keys()) keys.push_back(std::move(key));
  return {.name = "delayed_ofw",
          .summary = "Delayed online Frank-Wolfe for convex losses (Algorithm 1)",
          .keys = keys,
          .make = read,
          .examples = {R"({"type": "delayed_ofw", "eta": 0.1})",
                       R"({"type": "delayed_ofw", "horizon": 100, "gradient_bound": 3})",
                       R"({"type": "delayed_ofw", "horizon": 100, "gradient_bound": 3, "setting": "delay_aware",)"
                       R"( "mean_delay": 7})",
                       R"({"type": "delayed_ofw", "horizon": "unknown", "gradient_bound": 3})",
                       R"({"type": "delayed_ofw", "horizon": 100, "gradient_bound": "unknown"})",
                       R"({"type": "delayed_ofw", "eta": 0.1, "oracle_calls": 3})",
                       R"({"type": "delayed_ofw", "horizon": 100, "gradient_bound": 3, "batch": 4})",
                       R"({"type": "delayed_ofw", "eta": 0.1, "sample": true, "seed": 7})"},
          .cost = frank_wolfe_cost,
          .promise = [](const spec::Value&) -> Promise { return {.losses = "convex losses"}; },
          .draws = draws_vertices,
          .verify = delayed_ofw_rows,
          .first_file = R"([[learners]]
name = "delayed OFW"
type = "delayed_ofw"
horizon = "rounds"             # words for numbers of this experiment: rounds, rounds_per_copy,
gradient_bound = "stream"      # stream, delays
)",
          .revises = "delayed_ofw with a known horizon and gradient bound, or eta"};
}

}  // namespace tarry
