#include "tarry/learners/descent/infeasible_ogd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/base/within.h"
#include "tarry/learners/descent/infeasible_projection.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/sets/checks.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

constexpr Index kMostBatch = Index{1} << 20;
constexpr double kLeastSlack = 1e-9, kLeastSlackLinear = 1e-3;

bool read_linear(const spec::Node& node, const AnySet& set) {
  if (!node.has("oracle")) return !set.can_separate();
  const std::string oracle = node.text_or("oracle", "");
  if (oracle != "separation" && oracle != "linear") node.at("oracle").fail("\"separation\" or \"linear\"");
  if (oracle == "separation" && !set.can_separate())
    node.fail_whole("oracle = \"separation\" needs a set that can separate points from itself, and this one cannot",
                    Code::kUnsupported);
  return oracle == "linear";
}

InfeasibleOptions read_steps(const spec::Node& node, bool linear) {
  for (const char* key : {"horizon", "gradient_bound", "mean_delay"})
    if (node.has(key)) node.fail_whole(fmt::format("give either eta or {}, not both", key));
  const double least = linear ? kLeastSlackLinear : kLeastSlack;
  const spec::Node slack = node.at("slack", "a number below 1");
  if (!(slack.number() >= least && slack.number() < 1)) slack.fail(fmt::format("at least {} and below 1", least));
  const Index batch = node.has("batch") ? node.count("batch", 1, kMostBatch) : 1;
  return {node.positive("eta"), slack.number(), static_cast<std::uint64_t>(batch), linear};
}

InfeasibleOptions read(const spec::Node& node, const AnySet& set) {
  const bool linear = read_linear(node, set);
  if (node.has("eta")) return read_steps(node, linear);
  for (const char* key : {"slack", "batch"})
    if (node.has(key)) node.fail_whole(fmt::format("{} goes with eta", key));
  if (!node.has("horizon") && !node.has("gradient_bound"))
    node.fail_whole("give eta and slack, or horizon and gradient_bound");
  const auto horizon = static_cast<double>(node.count("horizon", 1, Index{1} << 53));
  const double bound = node.positive("gradient_bound"), mean = node.number_or("mean_delay", 1);
  if (mean < 1) node.at("mean_delay").fail("at least 1 (no delay is 1)");
  if (set.diameter() == 0) return {1, 0.5, 1, linear};  // a single point: every step is the same
  const theory::InfeasibleSteps steps =
      theory::infeasible_ogd_steps({set.diameter(), bound, horizon, mean}, linear, static_cast<double>(kMostBatch));
  return {steps.eta, std::max(steps.slack, linear ? kLeastSlackLinear : kLeastSlack),
          static_cast<std::uint64_t>(steps.batch), linear};
}

}  // namespace

InfeasibleOgd::InfeasibleOgd(AnySet set, const InfeasibleOptions& options, Vec start)
    : set_(std::move(set)),
      options_(options),
      diameter_(set_.diameter()),
      w_(std::move(start)),
      arrived_(w_.size(), 0.0) {
  check_positive("infeasible_ogd", "eta", options.eta);
  if (options_.linear)
    beside_ = w_;
  else
    centre_ = set_.centre().dense();
}

void InfeasibleOgd::write(std::span<double> x) const { std::copy(decision().begin(), decision().end(), x.begin()); }

void InfeasibleOgd::receive(Round, const Feedback& feedback, const Memo&) {
  feedback.gradient.add_to(arrived_);
  if (++arrivals_ >= options_.batch) step();
}

void InfeasibleOgd::step() {
  if (diameter_ > 0) {
    Vec next = w_;
    kernels::blend(next, 1, arrived_, -options_.eta);
    const bool done = options_.linear ? bring_together(set_, options_.slack * diameter_, beside_, next)
                                      : cut_into(set_, {centre_, options_.slack}, w_, next);
    gave_up_ = gave_up_ || !done;
    w_ = std::move(next);
  }
  std::fill(arrived_.begin(), arrived_.end(), 0.0);
  arrivals_ = 0;
}

void InfeasibleOgd::save(ByteWriter& out) const {
  out.reals(w_);
  out.reals(beside_);
  out.reals(arrived_);
  out.u64(arrivals_);
  out.u64(gave_up_ ? 1 : 0);
}

void InfeasibleOgd::load(ByteReader& in) {
  for (Vec* x : {&w_, &beside_, &arrived_}) check_within(*x = in.reals(x->size()));
  arrivals_ = in.u64();
  if (arrivals_ >= options_.batch)
    throw Error(Code::kCorrupt, fmt::format("snapshot: a batch of {} has {} gradients", options_.batch, arrivals_));
  gave_up_ = in.flag();
}

std::optional<double> InfeasibleOgd::bound(const theory::Seen& seen) const {
  if (gave_up_) return std::nullopt;
  if (diameter_ > 0 && !theory::squares_are_kept(diameter_ * diameter_)) return std::nullopt;
  const theory::Scene scene{diameter_, seen.gradient_bound, seen.rounds, seen.mean_delay(), seen.largest_delay};
  return theory::infeasible_ogd(scene, {options_.eta, options_.slack, static_cast<double>(options_.batch)});
}

namespace {

Cost infeasible_cost(const spec::Value& learner, const CostScene& scene) {
  const bool linear = learner.text_at("oracle") == "linear" || !scene.set.can_separate();
  return full_cost(scene.set, linear ? "about four oracle calls" : "a few separating half-spaces");
}

VerifyRows infeasible_rows() {
  constexpr const char* kTuned = R"({"type": "infeasible_ogd", "horizon": $T, "gradient_bound": 1, "mean_delay": 20})";
  constexpr const char* kLinear =
      R"({"type": "infeasible_ogd", "horizon": $T, "gradient_bound": 1, "mean_delay": 20, "oracle": "linear"})";
  constexpr const char* kBall = R"({"type": "l2_ball", "dimension": 3, "radius": 1})";
  return {.drawn = {{"infeasible_ogd", kTuned}, {"infeasible_ogd linear", kLinear}},
          .rates = {{.learner = {"infeasible_ogd", R"({"type": "infeasible_ogd", "horizon": $T, "gradient_bound": 1})"},
                     .set = kBall,
                     .theory = 0.5,
                     .exact = true},
                    {.learner = {"infeasible_ogd linear", R"({"type": "infeasible_ogd", "horizon": $T,)"
                                                          R"( "gradient_bound": 1, "oracle": "linear"})"},
                     .set = kBall,
                     .theory = 0.75}}};
}

}  // namespace

LearnerEntry infeasible_ogd_entry() {
  return {.name = "infeasible_ogd",
          .summary =
              "Delayed gradient descent without projections, by separation or linear oracles; low regret over "
              "every interval",
          .keys = {{"eta", "a positive number, with slack (or give horizon and gradient_bound)", "optional"},
                   {"slack", "a number below 1, with eta: a share of the diameter", "optional"},
                   {"batch", "a whole number of at least 1, with eta: gradients per step", "1"},
                   {"horizon", "the number of rounds T", "optional"},
                   {"gradient_bound", "a bound on the gradients' 2-norm, G", "optional"},
                   {"mean_delay", "a number of at least 1", "1"},
                   {"oracle", "\"separation\" or \"linear\"", "separation where the set has it"}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            return InfeasibleOgd(setting.set, read(node, setting.set), start_point(setting.shape()));
          },
          .examples = {R"({"type": "infeasible_ogd", "eta": 0.1, "slack": 0.05})",
                       R"({"type": "infeasible_ogd", "horizon": 100, "gradient_bound": 3, "mean_delay": 5})",
                       R"({"type": "infeasible_ogd", "horizon": 100, "gradient_bound": 3, "oracle": "linear"})",
                       R"({"type": "infeasible_ogd", "eta": 0.1, "slack": 0.3, "batch": 3, "oracle": "linear"})"},
          .cost = infeasible_cost,
          .promise = [](const spec::Value&) -> Promise { return {.losses = "convex losses"}; },
          .verify = infeasible_rows};
}

}  // namespace tarry
