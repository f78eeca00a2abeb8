// The learners of one stream under one delay, best first, and what lateness costs each of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/plan/experiment.h"

namespace tarry::lab {

struct GroupSummary;

struct LeaderboardRow {
  std::string learner;
  double value;                     // of the metric at the end, mean over seeds
  std::optional<double> undelayed;  // the same with no delay, where that was played
  std::optional<double> lateness;   // by which share the delay makes it worse; negative: better
  double lost;                      // the share of rounds whose answer never comes,
  double on_its_way;                // and of those whose answer had not come at the end
};

struct Leaderboard {
  std::string stream, delay;
  std::string metric;                      // rmse, log_loss, wealth or gain
  std::optional<std::string> compared_to;  // the name of the delay `none`, where it is another one than this
  std::vector<LeaderboardRow> rows;        // ranked; learners whose metric is not a number come last
};

// One for each stream with predictions and each delay, in the order of the groups.
std::vector<Leaderboard> leaderboards(const Experiment& experiment, const std::vector<GroupSummary>& groups);

// One more line, in its place.
void add_row(Leaderboard& board, LeaderboardRow row);

}  // namespace tarry::lab
