#include "tarry/learners/combined/patient.h"

#include "tarry/learners/combined/hedge.h"
#include "tarry/learners/combined/loss_weights.h"
#include "tarry/learners/descent/implicit_adagrad.h"
#include "tarry/learners/registry.h"

namespace tarry {
namespace {

// Every rate has its streams; eight, since their states then fill whole cache lines. The largest are believed last:
// what comes first may be of one class, and they would be sure of it at once.
Vec rates() { return {2, 1, 1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64}; }
Vec prior() { return {1.0 / 8, 1.0 / 4, 1.0 / 2, 1, 1, 1, 1, 1}; }

}  // namespace

AnyLearner make_patient(const LearnerSetting& setting) {
  return Hedge<ImplicitBases, LossWeights>(ImplicitBases(*setting.set.bounds(), setting.shape().start, rates()),
                                           setting.set.dimension(), setting.set.diameter(), LossWeights(prior(), true));
}

LearnerEntry patient_entry() {
  return {
      .name = "patient",
      .summary = "Eight rates of AdaGrad with implicit steps, fair to labels that come late; for standardised features",
      .keys = {},
      .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
        if (!setting.set.bounds()) node.fail_whole("needs a box, and this set is none", Code::kUnsupported);
        return make_patient(setting);
      },
      .examples = {R"({"type": "patient"})"}};
}

}  // namespace tarry
