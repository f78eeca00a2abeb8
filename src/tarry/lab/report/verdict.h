// What an experiment on late labels means, in words: how often its learner would have been right, what waiting costs,
// and where it does not beat those who look at no feature, why.
#pragma once

#include <string>
#include <vector>

#include "tarry/lab/plan/experiment.h"
#include "tarry/lab/report/leaderboard.h"
#include "tarry/spec/value.h"

namespace tarry::lab {

struct Verdict {
  std::string stream, delay, learner;
  std::string against = {};            // the learner that looks at no feature; empty: none was there
  bool loses = false;                  // to that one
  std::vector<std::string> says = {};  // a sentence or two each; the first matters most
};

// One for each leaderboard under a delay that is compared with none, of the learner that the experiment keeps.
std::vector<Verdict> verdicts(const Experiment& experiment, const std::vector<Leaderboard>& boards,
                              const std::vector<GroupSummary>& groups, const std::vector<Reading>& readings);

spec::Value to_value(const Verdict& verdict);

}  // namespace tarry::lab
