// A run on a routing stream: the curves of one game on the roads.
#pragma once

#include "tarry/lab/play/run.h"

namespace tarry::lab {

// Throws Error where the learner or the delays cannot be made.
void check_routing(const Stream& stream, const RunPlan& plan, Round rounds);

// Its regret is against the best fixed route of each pair, for the times that were measured in this very game: exact.
RunResult play_routing(const Stream& stream, const RunPlan& plan, const RunContext& context,
                       const std::vector<Round>& checkpoints, bool regret);

}  // namespace tarry::lab
