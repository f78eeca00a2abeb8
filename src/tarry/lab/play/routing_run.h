// A run on a routing stream: who plays.
#pragma once

#include "tarry/lab/play/counted_set.h"
#include "tarry/lab/play/models.h"
#include "tarry/lab/play/run.h"

namespace tarry::lab {

// Throws Error where the learner or the delays cannot be made.
void check_routing(const Stream& stream, const RunPlan& plan);

// A model for each pair of zones.
Models pair_models(const Stream& stream, const RunPlan& plan, Round rounds, const CountedSet::Counter& calls);

}  // namespace tarry::lab
