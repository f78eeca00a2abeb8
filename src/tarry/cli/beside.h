// What a user would do instead: another program's learner, trained again and again on the labels that have come, as one
// more line of the leaderboard.
#pragma once

#include <filesystem>
#include <string>

#include "tarry/lab/plan/experiment.h"
#include "tarry/lab/report/leaderboard.h"

namespace tarry::cli {

// Throws Error{kBadInput} for a rival that there is none of, Error{kUnsupported} where this machine has not what it
// needs: before anything is run.
void check_rival(const std::string& rival);

// Plays the rival on the experiment's table and adds its line to the board with delays. `folder`: for files on the way.
void play_rival(const std::string& rival, const lab::Experiment& experiment, const std::filesystem::path& folder,
                std::vector<lab::Leaderboard>& boards);

}  // namespace tarry::cli
