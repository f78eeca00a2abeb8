// Runs an experiment: every run in parallel, finished runs kept on disk and not run again.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tarry/lab/play/run.h"
#include "tarry/lab/report/roads_json.h"

namespace tarry::lab {

// Progress, for display. Calls come one at a time, from any thread.
struct LabProgress {
  std::function<void(std::size_t finished, std::size_t total)> overall;
  std::function<void(std::size_t job, const std::string& name, double share)> job;  // share 1: done
  std::function<void(const std::string& path)> waiting;  // for data from a pipe that gives none; once for each
};

// A part of an experiment's runs: each run belongs to exactly one of `count` shards.
struct Shard {
  std::size_t index = 0;  // from 0
  std::size_t count = 1;
};

struct LabOptions {
  std::filesystem::path out;  // a folder; it keeps finished runs under runs/
  Shard shard = {};           // only these runs
  bool merge = false;         // run nothing: take what is kept, and leave out what is not
  int jobs = 0;               // runs at the same time; 0: one a core
  bool fresh = false;         // run everything again, whatever is kept
  std::function<double()> clock;
  LabProgress progress;
  const std::atomic<bool>* stop = nullptr;
};

struct LabResult {
  std::vector<RunResult> runs;    // in the order of the spec, whatever the number of threads
  std::size_t kept = 0;           // how many were there from before
  std::size_t missing = 0;        // how many a merge did not find
  std::vector<Reading> readings;  // of the streams whose columns were inferred
  std::vector<Network> networks;  // of routing streams
};

// Throws Error for a run that fails, Interrupted when told to stop; finished runs are on disk in either case.
LabResult run_experiment(const Experiment& experiment, const LabOptions& options);

}  // namespace tarry::lab
