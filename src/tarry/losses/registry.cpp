#include "tarry/losses/registry.h"

#include "tarry/losses/classification.h"
#include "tarry/losses/diminishing.h"
#include "tarry/losses/log_wealth.h"
#include "tarry/losses/regression.h"
#include "tarry/losses/softmax.h"
#include "tarry/spec/registry.h"

namespace tarry {

std::span<const LossEntry> loss_registry() {
  static const std::vector<LossEntry> entries = {
      LinearLoss::entry(),  SquaredLoss::entry(),   LogisticLoss::entry(),
      HingeLoss::entry(),   AbsoluteLoss::entry(),  HuberLoss::entry(),
      SoftmaxLoss::entry(), LogWealthLoss::entry(), DiminishingLoss::entry(),
  };
  return entries;
}

AnyLoss make_loss(const spec::Node& node) {
  if (!node.is_text()) return spec::make_registered(loss_registry(), "loss", node);
  const spec::Value named{spec::Object{{"type", node.value()}}, node.value().line};
  return spec::make_registered(loss_registry(), "loss", spec::Node(named, "loss"));
}

}  // namespace tarry
