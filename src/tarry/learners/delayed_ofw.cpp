#include "tarry/learners/delayed_ofw.h"

#include <fmt/format.h>

#include "tarry/error.h"
#include "tarry/learners/registry.h"
#include "tarry/spec/node.h"
#include "tarry/theory/step_size.h"

namespace tarry {
namespace {

double eta_of_setting(const spec::Node& node, const AnySet& set) {
  const double horizon = static_cast<double>(node.count("horizon", 1, Index{1} << 53));
  const double bound = node.positive("gradient_bound");
  const std::string setting = node.text_or("setting", "general");
  if (node.has("mean_delay") && setting != "delay_aware")
    node.fail_whole("mean_delay is read only with setting = \"delay_aware\"");
  if (set.diameter() == 0) return 1;  // a single point: every step is the same
  if (setting == "general") return theory::ofw_eta_general(set.diameter(), bound, horizon);
  if (setting == "strongly_convex_set") {
    if (!set.strong_convexity())
      node.fail_whole("setting = \"strongly_convex_set\" needs a strongly convex set, and this one is not",
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

double read_eta(const spec::Node& node, const AnySet& set) {
  if (!node.has("eta")) {
    if (!node.has("horizon") && !node.has("gradient_bound")) node.fail_whole("give eta, or horizon and gradient_bound");
    return eta_of_setting(node, set);
  }
  for (const char* key : {"horizon", "gradient_bound", "setting", "mean_delay"})
    if (node.has(key)) node.fail_whole(fmt::format("give either eta or {}, not both", key));
  return node.positive("eta");
}

}  // namespace

OfwRule::OfwRule(double eta) : eta_(eta) {
  if (!(eta > 0 && eta <= spec::kLargest))
    throw Error(Code::kBadSpec, fmt::format("delayed_ofw: eta must be positive (eta = {})", eta));
}

LearnerEntry delayed_ofw_entry() {
  return {.name = "delayed_ofw",
          .summary = "Delayed online Frank-Wolfe for convex losses (Algorithm 1)",
          .keys = {{"eta", "a positive number (or give horizon and gradient_bound)", "optional"},
                   {"horizon", "the number of rounds T", "optional"},
                   {"gradient_bound", "a bound on the gradients' 2-norm, G", "optional"},
                   {"setting", "\"general\", \"strongly_convex_set\" or \"delay_aware\"", "\"general\""},
                   {"mean_delay", "a number of at least 1, for delay_aware", "optional"},
                   storage_key()},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            const OfwRule rule(read_eta(node, setting.set));
            return DelayedOfw<AnySet>{setting.set, rule, setting.start(), read_storage(node)};
          },
          .examples = {R"({"type": "delayed_ofw", "eta": 0.1})",
                       R"({"type": "delayed_ofw", "horizon": 100, "gradient_bound": 3})",
                       R"({"type": "delayed_ofw", "horizon": 100, "gradient_bound": 3, "setting": "delay_aware",)"
                       R"( "mean_delay": 7})"}};
}

}  // namespace tarry
