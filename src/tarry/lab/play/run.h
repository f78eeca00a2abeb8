// One run of an experiment: one learner on one stream with one model of delays and one seed.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/hindsight/comparator.h"
#include "tarry/lab/plan/experiment.h"
#include "tarry/lab/play/means.h"
#include "tarry/lab/play/quality.h"
#include "tarry/lab/play/top_items.h"

namespace tarry::lab {

// Columns over the run's checkpoints.
struct Curves {
  std::vector<Round> round;
  Vec loss;                     // summed
  Vec regret_low, regret_high;  // empty without a comparator
  Vec bound;                    // the live certificate; NaN where there is none
  Vec outstanding;              // rounds waiting for feedback
  Vec oracle_calls;
  Vec seconds;      // spent in the model
  Vec state_bytes;  // of a snapshot of the learner
  std::map<std::string, Vec> metrics;
  Vec time;  // when the round's row was seen, in seconds; empty where the data does not say, or not in which unit
};

struct RunResult {
  std::string stream, delay, learner, set;
  std::uint64_t seed = 0;
  Curves curves;
  DelayCounts delays;
  std::uint64_t lost = 0;                     // rounds whose answer never comes
  std::uint64_t on_its_way = 0;               // rounds whose answer had not come at the end, given up or not
  std::optional<Waits> waits = std::nullopt;  // for answers, where the delays are those of the data and have a unit
  std::vector<TopItems> top = {};
  RoadUse roads = {};               // at the end of a run on a routing stream
  Mean mean = {}, later_mean = {};  // predictions beside outcomes; later: of the second half
  Quality quality = {};             // of predictions from a table's rows
  spec::Value waiting = {};         // what the model knows about waiting at the end (model/waiting_view.h), or null
};

// What a run is made of, with every word of the spec ("rounds", "stream", "delays") replaced by its number.
struct RunPlan {
  const NamedSpec* stream = nullptr;
  const NamedSpec* delay = nullptr;
  const LearnerSpec* learner = nullptr;
  std::uint64_t seed = 0;
};

struct RunContext {
  std::function<double()> clock;                          // seconds; may be empty
  std::function<void(Round done, Round total)> progress;  // may be empty
  const std::atomic<bool>* stop = nullptr;                // set: give up soon
  std::filesystem::path keep = {};  // a folder for the run's predictions and its model; empty: they are not kept
};

// The number of rounds that a run on this stream has, when `asked` are asked for (0: all).
Round run_rounds(Round asked, const Stream& stream);

// The set of a learner's spec on this stream.
AnySet set_for(const LearnerSpec& learner, const Stream& stream);

// Throws Error where the set or the learner of a run cannot be made: before it is played.
void check_run(const Experiment& experiment, const Stream& stream, const RunPlan& plan);
void check_delays(const Stream& stream, const RunPlan& plan);  // the part of it that is the same for all learners

// Everything but the regret, which needs the comparator. With horizons, one game for each; its end is kept.
RunResult play_run(const Experiment& experiment, const Stream& stream, const RunPlan& plan, const RunContext& context);

// The rounds at which a run's curves are kept.
std::vector<Round> run_checkpoints(const Experiment& experiment, const Stream& stream);

// Fills in regret_low and regret_high; NaN where the interval is wider than the loss, and says nothing. `rounding`:
// allows for that of the summed loss, where the intervals allow for their own.
void add_regret(RunResult& result, const std::vector<Interval>& best, bool rounding = false);

}  // namespace tarry::lab
