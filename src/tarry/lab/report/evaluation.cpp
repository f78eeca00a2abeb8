#include "tarry/lab/report/evaluation.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/lab/report/results.h"

namespace tarry::lab {
namespace {

using evaluation::Estimate;
using spec::Value;

constexpr double kFarOff = 4;      // standard errors of the mean weight
constexpr double kRounded = 0.02;  // by which weights may be off where probabilities are written with two digits

std::optional<double> finite(double x) { return std::isfinite(x) ? std::optional(x) : std::nullopt; }

Estimate estimate_in(const GroupSummary& group, const std::string& name) {
  return {.value = group.metrics.at(name),
          .low = finite(group.metrics.at(name + "_low")),
          .high = finite(group.metrics.at(name + "_high"))};
}

std::vector<std::string> warnings_of(const GroupSummary& group) {
  std::vector<std::string> warnings;
  const double unsupported = group.metrics.at("unsupported"), weight = group.metrics.at("mean_weight");
  const double error = group.metrics.at("weight_error");
  if (unsupported > 0)
    warnings.push_back(
        fmt::format("{:.1f} % of its weight is on actions that the log cannot have taken: of these DR knows only what "
                    "its model says",
                    100 * unsupported));
  else if (std::fabs(error) > kFarOff && std::fabs(weight - 1) > kRounded)
    warnings.push_back(fmt::format("weights are {:.3f} in the mean, not 1: {}", weight,
                                   error < 0 ? "the log lacks actions that it takes, or its probabilities are wrong"
                                             : "the log's probabilities are wrong"));
  return warnings;
}

Value number(const std::optional<double>& x) { return x && std::isfinite(*x) ? Value{*x} : Value{}; }

Value to_value(const Estimate& estimate) {
  return {
      spec::Object{{"value", number(estimate.value)}, {"low", number(estimate.low)}, {"high", number(estimate.high)}}};
}

}  // namespace

std::vector<Evaluated> evaluations(const std::vector<GroupSummary>& groups) {
  std::vector<Evaluated> all;
  for (const GroupSummary& group : groups) {
    if (!group.metrics.contains("ips_low")) continue;
    Evaluated one{.stream = group.stream,
                  .delay = group.delay,
                  .policy = group.learner,
                  .dr = std::nullopt,
                  .ips = estimate_in(group, "ips"),
                  .snips = estimate_in(group, "snips"),
                  .effective_rounds = group.metrics.at("effective_rounds"),
                  .warnings = warnings_of(group)};
    if (std::isfinite(group.metrics.at("dr"))) one.dr = estimate_in(group, "dr");
    all.push_back(std::move(one));
  }
  return all;
}

Value to_value(const Evaluated& evaluated) {
  spec::Array warnings;
  for (const std::string& warning : evaluated.warnings) warnings.push_back({warning});
  return {spec::Object{{"stream", {evaluated.stream}},
                       {"delay", {evaluated.delay}},
                       {"policy", {evaluated.policy}},
                       {"dr", evaluated.dr ? to_value(*evaluated.dr) : Value{}},
                       {"ips", to_value(evaluated.ips)},
                       {"snips", to_value(evaluated.snips)},
                       {"effective_rounds", number(evaluated.effective_rounds)},
                       {"warnings", Value{warnings}}}};
}

}  // namespace tarry::lab
