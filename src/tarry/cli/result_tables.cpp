#include "tarry/cli/result_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/cli/table.h"

namespace tarry::cli {

std::string result_table(const std::vector<lab::GroupSummary>& groups, std::size_t width) {
  const auto any = [&](auto has) { return std::any_of(groups.begin(), groups.end(), has); };
  const bool streams = any([&](const auto& g) { return g.stream != groups.front().stream; });
  const bool delays = any([&](const auto& g) { return g.delay != groups.front().delay; });
  const bool regret = any([](const auto& g) { return g.regret_high.has_value(); });
  const bool seeds = any([](const auto& g) { return g.seeds > 1; });
  std::vector<std::string> metrics;
  for (const auto& g : groups)
    for (const auto& [name, value] : g.metrics)
      if (std::find(metrics.begin(), metrics.end(), name) == metrics.end()) metrics.push_back(name);

  std::vector<Table::Column> columns;
  if (streams) columns.push_back({"stream"});
  if (delays) columns.push_back({"delay"});
  columns.push_back({"learner"});
  for (const std::string& name : metrics) columns.push_back({name, true, name != metrics.front()});
  if (metrics.empty()) columns.push_back({"loss", true});
  if (regret) {
    columns.push_back({"regret", true});
    if (seeds) columns.push_back({"± sd", true, true});
    columns.push_back({"bound", true, true});
    columns.push_back({"exponent", true, true});
  }
  columns.push_back({"µs/round", true, true});
  columns.push_back({"state, kB", true, true});
  Table table(columns);
  const auto optional = [](const std::optional<double>& x) { return x ? short_number(*x) : std::string("-"); };
  for (const auto& g : groups) {
    std::vector<std::string> row;
    if (streams) row.push_back(g.stream);
    if (delays) row.push_back(g.delay);
    row.push_back(g.learner);
    for (const std::string& name : metrics)
      row.push_back(g.metrics.contains(name) ? short_number(g.metrics.at(name)) : "-");
    if (metrics.empty()) row.push_back(short_number(g.loss));
    if (regret) {
      row.push_back(optional(g.regret_high));
      if (seeds) row.push_back(optional(g.regret_sd));
      row.push_back(optional(g.bound));
      row.push_back(g.exponent ? fmt::format("{:.2f}", *g.exponent) : "-");
    }
    row.push_back(short_number(1e6 * g.seconds_per_round));
    row.push_back(short_number(g.state_bytes / 1e3));
    table.add(std::move(row));
  }
  const std::size_t left_out = table.fit(width);
  const std::string note = left_out == 0 ? ""
                                         : fmt::format("({} more column{} on a wider terminal, and in the report)\n",
                                                       left_out, left_out == 1 ? "" : "s");
  return table.text() + note;
}

std::string width_of_regret(const std::vector<lab::GroupSummary>& groups) {
  double widest = 0;
  for (const auto& g : groups)
    if (g.regret_high) widest = std::max(widest, *g.regret_high - *g.regret_low);
  return widest > 0 ? fmt::format("regret is at most what is shown, and at least that less {}\n", short_number(widest))
                    : "";
}

std::string evaluation_table(const std::vector<lab::Evaluated>& evaluated) {
  if (evaluated.empty()) return "";
  const auto any = [&](auto differs) { return std::any_of(evaluated.begin(), evaluated.end(), differs); };
  const bool streams = any([&](const auto& e) { return e.stream != evaluated.front().stream; });
  const bool delays = any([&](const auto& e) { return e.delay != evaluated.front().delay; });
  std::vector<Table::Column> columns;
  if (streams) columns.push_back({"stream"});
  if (delays) columns.push_back({"delay"});
  columns.push_back({"policy"});
  for (const char* name : {"DR", "IPS", "SNIPS"}) {
    columns.push_back({name, true});
    columns.push_back({name == std::string("SNIPS") ? "95 %, asymptotic" : "95 %, at any time"});
  }
  columns.push_back({"effective rounds", true});
  Table table(columns);
  std::string warnings;
  for (const lab::Evaluated& e : evaluated) {
    std::vector<std::string> row;
    if (streams) row.push_back(e.stream);
    if (delays) row.push_back(e.delay);
    row.push_back(e.policy);
    for (const auto& estimate : {e.dr, std::optional(e.ips), std::optional(e.snips)}) {
      row.push_back(estimate && std::isfinite(estimate->value) ? short_number(estimate->value) : "-");
      row.push_back(estimate && estimate->low && estimate->high
                        ? fmt::format("{} to {}", short_number(*estimate->low), short_number(*estimate->high))
                        : "-");
    }
    row.push_back(std::isfinite(e.effective_rounds) ? fmt::format("{:.0f}", e.effective_rounds) : "-");
    table.add(std::move(row));
    for (const std::string& warning : e.warnings) warnings += fmt::format("warning: {}: {}\n", e.policy, warning);
  }
  return "what policies would have earned, a round\n\n" + table.text() + warnings;
}

namespace {

// Boards worth printing: those with a rival, but none of the undelayed case where it is beside the others.
std::vector<const lab::Leaderboard*> shown_boards(const std::vector<lab::Leaderboard>& boards) {
  const auto stands_beside = [&](const lab::Leaderboard& board) {
    return std::any_of(boards.begin(), boards.end(), [&](const lab::Leaderboard& other) {
      return other.stream == board.stream && other.compared_to == board.delay;
    });
  };
  std::vector<const lab::Leaderboard*> shown;
  for (const lab::Leaderboard& board : boards)
    if (!stands_beside(board) && (board.rows.size() > 1 || board.compared_to)) shown.push_back(&board);
  return shown;
}

}  // namespace

std::string leaderboard_table(const std::vector<lab::Leaderboard>& boards) {
  const auto shown = shown_boards(boards);
  if (shown.empty()) return "";
  const auto differ = [&](std::string lab::Leaderboard::*word) {
    return std::any_of(shown.begin(), shown.end(), [&](const auto* b) { return b->*word != shown.front()->*word; });
  };
  const bool streams = differ(&lab::Leaderboard::stream), delays = differ(&lab::Leaderboard::delay);
  const bool metrics = differ(&lab::Leaderboard::metric);
  const bool compared = std::any_of(shown.begin(), shown.end(), [](const auto* b) { return b->compared_to; });
  std::vector<Table::Column> columns;
  if (streams) columns.push_back({"stream"});
  if (delays) columns.push_back({"delay"});
  columns.push_back({"rank", true});
  columns.push_back({"learner"});
  if (metrics) columns.push_back({"metric"});
  columns.push_back({metrics ? "value" : shown.front()->metric, true});
  if (compared) {
    columns.push_back({"undelayed", true});
    columns.push_back({"lateness costs", true});
  }
  columns.push_back({"labels lost", true});
  columns.push_back({"on their way", true});
  Table table(columns);
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  const auto change = [&](double share) {  // no sign where it would read as 0.0
    return (share >= 5e-4 ? "+" : "") + percent(share > -5e-4 && share < 0 ? 0 : share);
  };
  for (const lab::Leaderboard* board : shown) {
    std::size_t rank = 0;
    for (const lab::LeaderboardRow& r : board->rows) {
      std::vector<std::string> row;
      if (streams) row.push_back(board->stream);
      if (delays) row.push_back(board->delay);
      row.push_back(fmt::format("{}", ++rank));
      row.push_back(r.learner);
      if (metrics) row.push_back(board->metric);
      row.push_back(short_number(r.value));
      if (compared) {
        row.push_back(r.undelayed ? short_number(*r.undelayed) : "-");
        row.push_back(r.lateness ? change(*r.lateness) : "-");
      }
      row.push_back(percent(r.lost));
      row.push_back(percent(r.on_its_way));
      table.add(std::move(row));
    }
  }
  const std::string under = delays ? "" : fmt::format(", delay {}", shown.front()->delay);
  return fmt::format("\nleaderboard{}\n\n", under) + table.text();
}

}  // namespace tarry::cli
