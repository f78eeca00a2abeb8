#include "tarry/learners/frank_wolfe/effort.h"

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

}  // namespace

std::vector<spec::Key> effort_keys() {
  return {{"oracle_calls", "a whole number of at least 1: Frank-Wolfe steps per gradient (1: the paper's)", "1"},
          {"oracle_error", "a number from 0 to 1: share of the bound's tolerance that a factored oracle may use", "1"},
          {"storage", "\"auto\", \"dense\", \"sparse\" or \"factored\": how the decision is kept", "\"auto\""}};
}

Effort read_effort(const spec::Node& node, std::uint64_t stream) {
  Effort effort(read_storage(node));
  effort.stream = stream;
  if (node.has("oracle_calls")) effort.oracle_calls = node.count("oracle_calls", 1, Index{1} << 20);
  if (node.has("oracle_error")) {
    effort.oracle_error = node.number("oracle_error");
    if (!(effort.oracle_error >= 0 && effort.oracle_error <= 1)) node.at("oracle_error").fail("from 0 to 1");
  }
  return effort;
}

}  // namespace tarry
