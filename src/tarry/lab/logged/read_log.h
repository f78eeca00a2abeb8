// Readers of logs of choices: CSV, DSJSON as Vowpal Wabbit and Personalizer write it, and our own (tarry-replay/2).
#pragma once

#include <string>
#include <vector>

#include "tarry/data/text/text_lines.h"
#include "tarry/features/label_value.h"
#include "tarry/lab/logged/logged.h"
#include "tarry/spec/node.h"

namespace tarry::lab {

// The keys of a stream `logged`, as `tarry streams` shows them.
std::vector<spec::Key> log_keys();

// Which of the formats it is, its first character and line say. Throws Error that names the file and the line or row.
Logged read_log(const spec::Node& node);

// The formats; what all of them have in common is read_log's.
Logged read_csv_log(const std::string& path, const spec::Node& node);
Logged read_dsjson_log(data::TextLines& lines);
Logged read_replay_log(const std::string& path);

// Whether this file is such a log, by its first line: an event in JSON, or columns for the action, the probability and
// the reward.
bool is_log(const std::string& path, const spec::Node& node);

// A reward as a number; yes is 1. Throws Error{kBadInput} for other words.
double as_reward(const LabelValue& reward);
inline constexpr double kLeastLogged = 1e-9;
// Throws Error{kBadInput} unless it is from kLeastLogged to 1; `name`: of its column or key.
void check_probability(double probability, const std::string& name);

}  // namespace tarry::lab
