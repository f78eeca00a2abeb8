// What a run on a log of choices has of its own: the learner is a model that chooses, beside which a policy may decide.
#pragma once

#include <memory>

#include "tarry/lab/plan/experiment.h"
#include "tarry/lab/world/world.h"
#include "tarry/model/model_spec.h"

namespace tarry::lab {

std::unique_ptr<World> logged_world(const LearnerSpec& learner, const Stream& stream);

// Throws Error{kBadSpec} for a learner that does not choose, and a policy that does not fit the log.
ModelSpec logged_spec(const LearnerSpec& learner, const Stream& stream);

}  // namespace tarry::lab
