// What runs leave behind: a file for each finished run, and curves.csv, summary.json and report.html for all of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/play/run.h"
#include "tarry/lab/report/leaderboard.h"
#include "tarry/lab/report/roads_json.h"
#include "tarry/lab/report/verdict.h"

namespace tarry::lab {

// One run as a JSON object, all digits kept, and back.
std::string to_json(const RunResult& result);
RunResult run_from_json(const std::string& text);

std::string intervals_to_json(const std::vector<Interval>& intervals);
std::vector<Interval> intervals_from_json(const std::string& text);

// The columns of docs/lab.md.
std::string curves_csv(const std::vector<RunResult>& runs);

// Means over seeds of a learner on a stream with a delay.
struct GroupSummary {
  std::string stream, delay, learner;
  std::size_t seeds = 0;
  double loss = 0;
  std::optional<double> regret_low, regret_high;
  std::optional<double> regret_sd;  // standard deviation over the seeds
  std::optional<double> bound;
  std::optional<double> exponent;  // of regret in T, fitted to the second half of the checkpoints
  std::map<std::string, double> metrics;
  double seconds_per_round = 0;
  double state_bytes = 0;
  double oracle_calls = 0;
  double lost_share = 0;        // of rounds whose answer never comes,
  double on_its_way_share = 0;  // and of those whose answer had not come at the end
};
std::vector<GroupSummary> summarise(const std::vector<RunResult>& runs);

struct ReportInput {
  std::string name;
  std::string spec_text;
  std::string made;  // when, as the report shows it; the caller has the clock
  std::vector<Reading> readings = {};
  std::vector<Leaderboard> leaderboards = {};
  std::vector<Network> networks = {};
  std::string about = {};  // the experiment in its author's words
  std::string title = {};  // what the report is called; empty: as the experiment
  std::vector<Verdict> verdicts = {};
};
std::string summary_json(const ReportInput& input, const std::vector<RunResult>& runs);
std::string report_html(const ReportInput& input, const std::vector<RunResult>& runs);

}  // namespace tarry::lab
