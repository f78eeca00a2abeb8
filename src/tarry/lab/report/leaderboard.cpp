#include "tarry/lab/report/leaderboard.h"

#include <algorithm>
#include <cmath>

#include "tarry/lab/report/results.h"

namespace tarry::lab {
namespace {

// The metric that ranks: of those a stream has, the one that its loss is about.
std::optional<std::string> ranking_metric(const GroupSummary& group) {
  for (const char* name : {"rmse", "log_loss", "wealth", "gain", "reward"})
    if (group.metrics.contains(name)) return name;
  return std::nullopt;
}

bool more_is_better(const std::string& metric) { return metric == "wealth" || metric == "gain" || metric == "reward"; }

// The delay under which every label comes at once.
std::optional<std::string> undelayed_name(const Experiment& experiment) {
  for (const NamedSpec& delay : experiment.delays) {
    const spec::Node node(delay.spec, "delay");
    if (node.type() == "none" && node.number_or("lost", 0) == 0) return delay.name;
  }
  return std::nullopt;
}

double worse_by(const std::string& metric, double value, double undelayed) {
  return more_is_better(metric) ? 1 - value / undelayed : value / undelayed - 1;
}

LeaderboardRow row_of(const GroupSummary& group, const std::string& metric, const GroupSummary* undelayed) {
  LeaderboardRow row{group.learner, group.metrics.at(metric), {}, {}, group.lost_share, group.on_its_way_share};
  if (undelayed == nullptr) return row;
  row.undelayed = undelayed->metrics.at(metric);
  const double worse = worse_by(metric, row.value, *row.undelayed);
  if (std::isfinite(worse)) row.lateness = worse;
  return row;
}

void rank(Leaderboard& board) {
  const bool more = more_is_better(board.metric);
  std::stable_sort(board.rows.begin(), board.rows.end(), [&](const LeaderboardRow& a, const LeaderboardRow& b) {
    if (!std::isfinite(a.value) || !std::isfinite(b.value)) return std::isfinite(a.value) && !std::isfinite(b.value);
    return more ? a.value > b.value : a.value < b.value;
  });
}

}  // namespace

void add_row(Leaderboard& board, LeaderboardRow row) {
  board.rows.push_back(std::move(row));
  rank(board);
}

std::vector<Leaderboard> leaderboards(const Experiment& experiment, const std::vector<GroupSummary>& groups) {
  const std::optional<std::string> undelayed = undelayed_name(experiment);
  const auto group_of = [&](const std::string& stream, const std::string& delay, const std::string& learner) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const GroupSummary& g) {
      return g.stream == stream && g.delay == delay && g.learner == learner;
    });
    return found == groups.end() ? nullptr : &*found;
  };
  std::vector<Leaderboard> boards;
  for (const GroupSummary& group : groups) {
    const auto metric = ranking_metric(group);
    if (!metric) continue;
    auto board = std::find_if(boards.begin(), boards.end(),
                              [&](const Leaderboard& b) { return b.stream == group.stream && b.delay == group.delay; });
    if (board == boards.end()) {
      const bool compared = undelayed && *undelayed != group.delay;
      boards.push_back({group.stream, group.delay, *metric, compared ? undelayed : std::nullopt, {}});
      board = boards.end() - 1;
    }
    const GroupSummary* other = board->compared_to ? group_of(group.stream, *undelayed, group.learner) : nullptr;
    board->rows.push_back(row_of(group, *metric, other));
  }
  for (Leaderboard& board : boards) rank(board);
  return boards;
}

}  // namespace tarry::lab
