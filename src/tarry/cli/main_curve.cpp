#include "tarry/cli/main_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/cli/terminal_plot.h"

namespace tarry::cli {
namespace {

constexpr int kAxisWidth = 12;
constexpr int kNarrowest = 20, kWidest = 100;
constexpr double kFarApart = 8;  // times as high: only logarithms show both

struct SeedLines {
  std::string learner;
  std::vector<const lab::RunResult*> runs;
};

// The mean over the seeds at the rounds that they share.
PlotLine mean_line(const SeedLines& lines, const auto& values_of) {
  const std::vector<Round>& rounds = lines.runs.front()->curves.round;
  PlotLine mean{lines.learner, Vec(rounds.begin(), rounds.end()), Vec(rounds.size(), 0)};
  for (const lab::RunResult* run : lines.runs) {
    const Vec& y = values_of(*run);
    const std::size_t shared = std::min(mean.y.size(), y.size());
    mean.x.resize(shared);
    mean.y.resize(shared);
    for (std::size_t i = 0; i < shared; ++i) mean.y[i] += y[i] / static_cast<double>(lines.runs.size());
  }
  return mean;
}

bool ends_far_apart(const std::vector<PlotLine>& lines) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const PlotLine& line : lines) {
    if (line.y.empty() || !std::isfinite(line.y.back())) continue;
    low = std::min(low, line.y.back());
    high = std::max(high, line.y.back());
  }
  return low > 0 && high > kFarApart * low;
}

std::string_view named(Axes axes) { return axes == Axes::kLog ? ", log-log" : axes == Axes::kLogY ? ", log" : ""; }

}  // namespace

std::string main_curve(const std::vector<lab::RunResult>& runs, const std::vector<lab::Leaderboard>& boards, int width,
                       bool colour) {
  const lab::RunResult& last = runs.back();
  const auto shown = [&](const lab::RunResult& run) { return run.stream == last.stream && run.delay == last.delay; };
  const auto board = std::find_if(boards.begin(), boards.end(), [&](const auto& b) { return b.stream == last.stream; });
  const bool metric = board != boards.end();
  const bool regret = !metric && std::any_of(runs.begin(), runs.end(), [&](const auto& run) {
    return shown(run) && !run.curves.regret_high.empty();
  });
  const std::string what = metric ? board->metric : regret ? "regret" : "loss";
  const auto values_of = [&](const lab::RunResult& run) -> const Vec& {
    const lab::Curves& c = run.curves;
    return metric ? c.metrics.at(what) : regret ? c.regret_high : c.loss;
  };

  std::vector<SeedLines> learners;
  for (const lab::RunResult& run : runs) {
    if (!shown(run) || (regret && run.curves.regret_high.empty())) continue;  // it asked for none
    auto same = std::find_if(learners.begin(), learners.end(), [&](const auto& l) { return l.learner == run.learner; });
    if (same == learners.end()) same = learners.insert(learners.end(), {run.learner, {}});
    same->runs.push_back(&run);
  }
  std::vector<PlotLine> lines;
  std::size_t seeds = 1;
  for (const SeedLines& learner : learners) {
    lines.push_back(mean_line(learner, values_of));
    seeds = std::max(seeds, learner.runs.size());
  }
  const Axes axes = regret ? Axes::kLog : ends_far_apart(lines) ? Axes::kLogY : Axes::kLinear;
  return plot(lines, {.title = fmt::format("{} over rounds{} ({}, {}{})", what, named(axes), last.stream, last.delay,
                                           seeds > 1 ? fmt::format(", mean of {} seeds", seeds) : ""),
                      .x_name = "rounds",
                      .columns = std::clamp(width - kAxisWidth, kNarrowest, kWidest),
                      .axes = axes,
                      .colour = colour});
}

}  // namespace tarry::cli
