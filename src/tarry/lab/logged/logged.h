// A log of choices: in which context, among which actions, which one was taken and how likely that was, and what it
// earned. Another policy can be judged by it, whatever policy took them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarry/data/formats/dataset.h"
#include "tarry/evaluation/policy_value.h"
#include "tarry/model/event.h"

namespace tarry::lab {

using data::Dataset;

struct LoggedChoice {
  std::shared_ptr<const std::vector<Action>> actions;  // that could be taken
  std::size_t taken = 0;                               // its place among them
  double probability = 1;
  Vec probabilities = {};  // of all, where the log has them
};

struct Logged {
  Dataset data;  // contexts by name; a label is a reward, NaN where there is none
  std::vector<LoggedChoice> choices;
  std::vector<std::string> hidden = {};                           // names of the contexts' rows that are no features
  std::map<std::string, std::vector<std::string>> policies = {};  // columns of one's own, row by row
  std::optional<evaluation::RewardRange> range = std::nullopt;    // of the rewards, where it is known
  double least_probability = 0;                                   // with which actions were taken; 0: not known
  bool yes_or_no = true;                                          // all rewards are 0 or 1
  std::size_t counted = 0;                                        // the first so many: their wait was over
  std::vector<std::string> read_as = {};                          // for people
};

}  // namespace tarry::lab
