// The curve that matters most, for the terminal.
#pragma once

#include <string>
#include <vector>

#include "tarry/lab/report/results.h"

namespace tarry::cli {

// On the last stream under the last delay, one line a learner, each the mean over its seeds: the metric that ranks the
// learners where there is one; else regret, else loss. No wider than `width` characters.
std::string main_curve(const std::vector<lab::RunResult>& runs, const std::vector<lab::Leaderboard>& boards, int width,
                       bool colour);

}  // namespace tarry::cli
