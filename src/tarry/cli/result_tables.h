// The tables that `tarry run` ends with.
#pragma once

#include <string>
#include <vector>

#include "tarry/lab/report/evaluation.h"
#include "tarry/lab/report/results.h"

namespace tarry::cli {

// All groups of runs with their numbers, in the order of the experiment. Where lines would be longer than `width` (0:
// any length), what matters least is left out, and the last line says so.
std::string result_table(const std::vector<lab::GroupSummary>& groups, std::size_t width = 0);

// Regret is an interval; the table shows its upper end, and this line what that leaves open.
std::string width_of_regret(const std::vector<lab::GroupSummary>& groups);

// What policies would have earned, with 95 % intervals, and warnings below. Nothing where none was judged.
std::string evaluation_table(const std::vector<lab::Evaluated>& evaluated);

// Learners by rank, with and without their delay side by side. Nothing where nothing can be compared.
std::string leaderboard_table(const std::vector<lab::Leaderboard>& boards);

}  // namespace tarry::cli
