#include "tarry/lab/play/choosers.h"

#include <fmt/format.h>

#include "tarry/base/error.h"

namespace tarry::lab {
namespace {

[[noreturn]] void refuse_run(const RunPlan& plan, const Stream& stream, const char* why) {
  throw Error(Code::kBadSpec, fmt::format("learner {}: stream {} {}", spec::to_json({plan.learner->name}),
                                          spec::to_json({stream.name}), why));
}

}  // namespace

void check_chooses(const RunPlan& plan, const Stream& stream) {
  if (stream.choices() && !plan.learner->is_task)
    refuse_run(plan, stream, "asks for choices: give the task \"choose\"");
}

ModelSpec chooser_spec(ModelSpec spec, const RunPlan& plan, const Stream& stream) {
  if (!spec.choice) refuse_run(plan, stream, "asks for choices: give the task \"choose\"");
  if (!stream.choices()) refuse_run(plan, stream, "asks for no choices, as \"classes_as_choices\" does");
  const spec::Value& task = plan.learner->learner;
  const spec::Value* inside = task.find("choose");
  const bool own = task.find("seed") != nullptr || (inside != nullptr && inside->find("seed") != nullptr);
  if (!own) spec.choice->seed = static_cast<Index>(plan.seed);
  return spec;
}

}  // namespace tarry::lab
