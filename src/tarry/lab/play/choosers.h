// Models that choose, on streams that ask for choices: each goes with the other alone.
#pragma once

#include "tarry/lab/play/run.h"
#include "tarry/model/model_spec.h"

namespace tarry::lab {

// Throws Error{kBadSpec} for a learner that is no task on a stream that asks for choices.
void check_chooses(const RunPlan& plan, const Stream& stream);

// Draws by the run's seed unless the task names its own. Throws Error{kBadSpec} where only one of them is about
// choices.
ModelSpec chooser_spec(ModelSpec spec, const RunPlan& plan, const Stream& stream);

}  // namespace tarry::lab
