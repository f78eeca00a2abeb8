#include "tarry/learners/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/learners/delayed_ofw.h"
#include "tarry/learners/delayed_ofw_sc.h"
#include "tarry/spec/registry.h"

namespace tarry {
namespace {

constexpr double kInitialTolerance = 1e-9;  // relative to the set's size

}  // namespace

std::span<const LearnerEntry> learner_registry() {
  static const std::vector<LearnerEntry> entries = {
      delayed_ofw_entry(),
      delayed_ofw_sc_entry(),
  };
  return entries;
}

AnyLearner make_learner(const spec::Node& node, const LearnerSetting& setting) {
  return spec::make_registered(learner_registry(), "learner", node, setting);
}

Start LearnerSetting::start() const {
  if (initial.empty()) return set.start();
  if (static_cast<Index>(initial.size()) != set.dimension())
    throw Error(Code::kBadSpec, fmt::format("initial must have {} entries, the set's dimension ({} came)",
                                            set.dimension(), initial.size()));
  if (!set.contains(initial, kInitialTolerance))
    throw Error(Code::kBadSpec, fmt::format("initial must lie in the set (initial = {})", spec::brief({initial})));
  const bool all_zero = std::all_of(initial.begin(), initial.end(), [](double x) { return x == 0; });
  if (all_zero) return {set.dimension(), 0, {}};
  const Start own = set.start();
  const bool is_own =
      own.values.empty() && std::all_of(initial.begin(), initial.end(), [&](double x) { return x == own.everywhere; });
  return is_own ? own : Start{set.dimension(), 0, initial};
}

spec::Key storage_key() {
  return {"storage", "\"auto\", \"dense\" or \"sparse\": how the decision is kept", "\"auto\""};
}

Storage read_storage(const spec::Node& node) {
  const std::string storage = node.text_or("storage", "auto");
  if (storage == "auto") return Storage::kAuto;
  if (storage == "dense") return Storage::kDense;
  if (storage == "sparse") return Storage::kSparse;
  node.at("storage").fail("\"auto\", \"dense\" or \"sparse\"");
}

}  // namespace tarry
