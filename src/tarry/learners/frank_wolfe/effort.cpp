#include "tarry/learners/frank_wolfe/effort.h"

#include "tarry/base/random.h"
#include "tarry/learners/registry.h"

namespace tarry {
namespace {

Storage read_storage(const spec::Node& node) {
  const std::string storage = node.text_or("storage", "auto");
  if (storage == "auto") return Storage::kAuto;
  if (storage == "dense") return Storage::kDense;
  if (storage == "sparse") return Storage::kSparse;
  if (storage == "factored") return Storage::kFactored;
  node.at("storage").fail("\"auto\", \"dense\", \"sparse\" or \"factored\"");
}

// Learners inside others draw other numbers than the first.
std::optional<std::uint64_t> read_sample(const spec::Node& node, const LearnerSetting& setting) {
  const auto flag = node.find("sample");
  if (!flag || !flag->flag()) {
    if (node.has("seed")) node.fail_whole("seed is read only with sample = true");
    return std::nullopt;
  }
  if (!setting.initial.empty())
    node.fail_whole("initial does not go with sample: what is drawn are vertices, and it starts at one",
                    Code::kUnsupported);
  const auto seed = node.has("seed") ? static_cast<std::uint64_t>(node.count("seed", 0, Index{1} << 53)) : 0;
  return setting.instance == 0 ? seed : Random(seed, setting.instance).bits(0)[0];
}

}  // namespace

std::vector<spec::Key> effort_keys() {
  return {{"oracle_calls", "a whole number of at least 1: Frank-Wolfe steps per gradient (1: the paper's)", "1"},
          {"oracle_error", "a number from 0 to 1: share of the bound's tolerance that a factored oracle may use", "1"},
          {"storage", "\"auto\", \"dense\", \"sparse\" or \"factored\": how the decision is kept", "\"auto\""},
          {"sample", "true: keeps its vertices, and draws one with the decision's weights for each round", "false"},
          {"seed", "a whole number, for sample", "0"}};
}

Effort read_effort(const spec::Node& node, const LearnerSetting& setting) {
  Effort effort(read_storage(node));
  effort.stream = setting.instance;
  effort.sample = read_sample(node, setting);
  if (node.has("oracle_calls")) effort.oracle_calls = node.count("oracle_calls", 1, Index{1} << 20);
  if (node.has("oracle_error")) {
    effort.oracle_error = node.number("oracle_error");
    if (!(effort.oracle_error >= 0 && effort.oracle_error <= 1)) node.at("oracle_error").fail("from 0 to 1");
  }
  return effort;
}

double read_horizon(const spec::Node& node) { return static_cast<double>(node.count("horizon", 1, Index{1} << 53)); }

}  // namespace tarry
