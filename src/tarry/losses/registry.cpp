#include "tarry/losses/registry.h"

#include "tarry/losses/classification.h"
#include "tarry/losses/diminishing.h"
#include "tarry/losses/log_wealth.h"
#include "tarry/losses/regression.h"
#include "tarry/losses/softmax.h"
#include "tarry/spec/open_registry.h"
#include "tarry/spec/registry.h"

namespace tarry {
namespace {

std::vector<LossEntry> entries() {
  return {LinearLoss::entry(),  SquaredLoss::entry(),   LogisticLoss::entry(),
          HingeLoss::entry(),   AbsoluteLoss::entry(),  HuberLoss::entry(),
          SoftmaxLoss::entry(), LogWealthLoss::entry(), DiminishingLoss::entry()};
}

spec::OpenRegistry<LossEntry>& registry() {
  static spec::OpenRegistry<LossEntry> all("loss", entries());
  return all;
}

}  // namespace

std::span<const LossEntry> loss_registry() { return registry().all(); }

void add_loss(LossEntry entry) { registry().add(std::move(entry)); }

const LossEntry* loss_entry(const std::string& name) {
  for (const LossEntry& entry : loss_registry())
    if (entry.name == name) return &entry;
  return nullptr;
}

Measure measure_of(const std::string& name) {
  const LossEntry* entry = loss_entry(name);
  return entry != nullptr ? entry->measure : Measure::kError;
}

bool is_quadratic(const std::string& name) {
  const LossEntry* entry = loss_entry(name);
  return entry != nullptr && entry->quadratic;
}

const std::string& usual_loss(Measure measure) {
  for (const LossEntry& entry : loss_registry())
    if (entry.measure == measure) return entry.name;
  throw Error(Code::kInternal, "loss registry: no loss is measured so");
}

AnyLoss make_loss(const spec::Node& node) {
  if (!node.is_text()) return spec::make_registered(loss_registry(), "loss", node);
  const spec::Value named{spec::Object{{"type", node.value()}}, node.value().line};
  return spec::make_registered(loss_registry(), "loss", spec::Node(named, "loss"));
}

}  // namespace tarry
