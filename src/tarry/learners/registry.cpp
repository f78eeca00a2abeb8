#include "tarry/learners/registry.h"

#include <fmt/format.h>

#include "tarry/base/random.h"
#include "tarry/learners/combined/auto_grid.h"
#include "tarry/learners/combined/delayed_mfw.h"
#include "tarry/learners/combined/hedge.h"
#include "tarry/learners/combined/patient.h"
#include "tarry/learners/combined/per_block.h"
#include "tarry/learners/combined/pools.h"
#include "tarry/learners/descent/adagrad.h"
#include "tarry/learners/descent/delayed_eg.h"
#include "tarry/learners/descent/delayed_ogd.h"
#include "tarry/learners/descent/infeasible_ogd.h"
#include "tarry/learners/descent/stay.h"
#include "tarry/learners/frank_wolfe/delayed_bandit_ofw.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/frank_wolfe/delayed_ofw_sc.h"
#include "tarry/learners/frank_wolfe/delayed_ospf.h"
#include "tarry/learners/leaders/box_ftrl.h"
#include "tarry/learners/leaders/box_ftrl_sc.h"
#include "tarry/learners/leaders/gauge_ftrl.h"
#include "tarry/learners/leaders/running_share.h"
#include "tarry/spec/open_registry.h"
#include "tarry/spec/registry.h"

namespace tarry {
namespace {

constexpr double kInitialTolerance = 1e-9;  // relative to the set's size

std::vector<LearnerEntry> entries() {
  return {delayed_ofw_entry(),   delayed_ofw_sc_entry(), delayed_ospf_entry(), gauge_ftrl_entry(),
          box_ftrl_entry(),      box_ftrl_sc_entry(),    adagrad_entry(),      hedge_entry(),
          auto_entry(),          patient_entry(),        per_block_entry(),    stay_entry(),
          running_share_entry(), delayed_eg_entry(),     delayed_ogd_entry(),  delayed_ogd_sc_entry(),
          bold_entry(),          round_robin_entry(),    delayed_mfw_entry(),  delayed_bandit_ofw_entry(),
          infeasible_ogd_entry()};
}

spec::OpenRegistry<LearnerEntry>& registry() {
  static spec::OpenRegistry<LearnerEntry> all("learner", entries());
  return all;
}

}  // namespace

std::span<const LearnerEntry> learner_registry() { return registry().all(); }

void add_learner(LearnerEntry entry) { registry().add(std::move(entry)); }

const LearnerEntry* learner_entry(const spec::Value& learner) {
  const std::string type = learner.text_at("type");
  for (const LearnerEntry& entry : learner_registry())
    if (entry.name == type) return &entry;
  return nullptr;
}

Promise promise_of(const spec::Value& learner) {
  const LearnerEntry* entry = learner_entry(learner);
  return entry != nullptr && entry->promise != nullptr ? entry->promise(learner) : Promise{};
}

bool draws(const spec::Value& learner) {
  const LearnerEntry* entry = learner_entry(learner);
  return entry != nullptr && entry->draws != nullptr && entry->draws(learner);
}

AnyLearner make_learner(const spec::Node& node, const LearnerSetting& setting) {
  return spec::make_registered(learner_registry(), "learner", node, setting).named(node.type());
}

LearnerSetting LearnerSetting::part(std::uint64_t k) const {
  return {.set = set, .initial = initial, .instance = split_stream(instance, k)};
}

Shape LearnerSetting::shape() const {
  if (initial.empty()) return set.shape();
  if (static_cast<Index>(initial.size()) != set.dimension())
    throw Error(Code::kBadSpec, fmt::format("initial must have {} entries, the set's dimension ({} came)",
                                            set.dimension(), initial.size()));
  if (!set.contains(initial, kInitialTolerance))
    throw Error(Code::kBadSpec, fmt::format("initial must lie in the set (initial = {})", spec::brief({initial})));
  return set.shape().starting_at(initial);
}

void LearnerSetting::refuse_initial(const spec::Node& node) const {
  if (!initial.empty()) node.fail_whole("initial is not taken: this learner has no start", Code::kUnsupported);
}

}  // namespace tarry
