// Means over seeds, and the table of all curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "tarry/base/elementary.h"
#include "tarry/lab/hindsight/growth.h"
#include "tarry/lab/report/results.h"

namespace tarry::lab {
namespace {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string csv_number(const Vec& column, std::size_t i) {
  return i < column.size() && std::isfinite(column[i]) ? fmt::format("{}", column[i]) : "";
}

// Of regret in T over the second half of the checkpoints: the first rounds say little about how it goes on.
std::optional<double> exponent_of(const std::vector<Round>& rounds, const Vec& regret) {
  const Vec t(rounds.begin(), rounds.end());
  const std::size_t half = t.size() / 2;
  return fitted_exponent(std::span(t).subspan(half), std::span(regret).subspan(half));
}

GroupSummary summarise_group(const std::vector<const RunResult*>& runs) {
  const RunResult& first = *runs.front();
  GroupSummary g;
  g.stream = first.stream;
  g.delay = first.delay;
  g.learner = first.learner;
  g.seeds = runs.size();
  const auto count = static_cast<double>(runs.size());
  const bool has_regret = std::all_of(runs.begin(), runs.end(), [](const RunResult* r) {
    return !r->curves.regret_high.empty() && std::isfinite(r->curves.regret_high.back());  // where it says something
  });
  double low = 0, high = 0, squares = 0, bound = 0;
  Vec mean_regret(first.curves.round.size(), 0.0);
  for (const RunResult* run : runs) {
    const Curves& c = run->curves;
    g.loss += c.loss.back() / count;
    g.seconds_per_round += c.seconds.back() / static_cast<double>(c.round.back()) / count;
    g.state_bytes += c.state_bytes.back() / count;
    g.oracle_calls += c.oracle_calls.back() / count;
    const auto rounds = static_cast<double>(run->lost + run->on_its_way + run->delays.answered);
    g.lost_share += rounds > 0 ? static_cast<double>(run->lost) / rounds / count : 0;
    g.on_its_way_share += rounds > 0 ? static_cast<double>(run->on_its_way) / rounds / count : 0;
    bound += c.bound.empty() ? std::nan("") : c.bound.back() / count;
    for (const auto& [name, values] : c.metrics) g.metrics[name] += values.back() / count;
    if (!has_regret) continue;
    low += c.regret_low.back() / count;
    high += c.regret_high.back() / count;
    squares += c.regret_high.back() * c.regret_high.back() / count;
    for (std::size_t i = 0; i < mean_regret.size(); ++i) mean_regret[i] += c.regret_high[i] / count;
  }
  if (std::isfinite(bound)) g.bound = bound;
  if (has_regret) {
    g.regret_low = low;
    g.regret_high = high;
    g.regret_sd = count > 1 ? std::sqrt(std::max(0.0, squares - high * high) * count / (count - 1)) : 0;
    g.exponent = exponent_of(first.curves.round, mean_regret);
  }
  return g;
}

}  // namespace

std::vector<GroupSummary> summarise(const std::vector<RunResult>& runs) {
  std::vector<std::vector<const RunResult*>> groups;
  for (const RunResult& run : runs) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group.front()->stream == run.stream && group.front()->delay == run.delay &&
             group.front()->learner == run.learner;
    });
    if (same == groups.end())
      groups.push_back({&run});
    else
      same->push_back(&run);
  }
  std::vector<GroupSummary> summaries;
  for (const auto& group : groups) summaries.push_back(summarise_group(group));
  return summaries;
}

std::string curves_csv(const std::vector<RunResult>& runs) {
  std::set<std::string> metric_names;
  for (const RunResult& run : runs)
    for (const auto& [name, values] : run.curves.metrics) metric_names.insert(name);
  std::string out =
      "stream,delay,learner,set,seed,round,loss,regret_low,regret_high,bound,outstanding,oracle_calls,seconds,state_"
      "bytes";
  for (const std::string& name : metric_names) out += "," + name;
  out += '\n';
  for (const RunResult& run : runs) {
    const Curves& c = run.curves;
    for (std::size_t i = 0; i < c.round.size(); ++i) {
      fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}", csv_cell(run.stream), csv_cell(run.delay),
                     csv_cell(run.learner), csv_cell(run.set), run.seed, c.round[i]);
      for (const Vec* column : {&c.loss, &c.regret_low, &c.regret_high, &c.bound, &c.outstanding, &c.oracle_calls,
                                &c.seconds, &c.state_bytes})
        out += "," + csv_number(*column, i);
      for (const std::string& name : metric_names) {
        const auto column = c.metrics.find(name);
        out += "," + (column == c.metrics.end() ? std::string() : csv_number(column->second, i));
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace tarry::lab
