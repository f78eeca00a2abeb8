// The experiment on a log of choices with nothing else given: what `tarry run my_log.csv` judges.
#pragma once

#include <string>
#include <vector>

#include "tarry/lab/experiment/own_data.h"

namespace tarry::lab {

// Whether it is one: a file of events in JSON, or a table with columns for the action, its probability and the reward.
bool is_own_log(const std::string& path, const std::vector<std::string>& overrides);

OwnData own_log(const std::string& path, const std::vector<std::string>& overrides);
// The text, to be written into a file; `seen`: the path as seen from there.
std::string own_log_text(const std::string& path, const std::string& seen, const std::vector<std::string>& overrides);

}  // namespace tarry::lab
