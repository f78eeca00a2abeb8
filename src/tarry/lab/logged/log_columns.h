// Which columns of a table are a log's action, probability, reward and times, and what the others are.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tarry/data/infer/csv_profile.h"

namespace tarry::lab {

using Names = std::vector<std::string>;

inline bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct LogColumns {
  std::string action, probability, reward, event_time, feedback_time;
  Names actions, categorical, ignore, policies;
};

// Those that were not named: a column of times whose name has the word event, or feedback.
void find_times(LogColumns& columns, const data::CsvProfile& profile);
// Throws Error{kBadInput} where a column that was named is not there.
void check_columns(const LogColumns& columns, const data::CsvProfile& profile, const std::string& path);

// Which of the other columns are numbers, words, or nothing to learn from.
struct LogContext {
  Names numbers, words, ignored;
};
LogContext context_of(const LogColumns& columns, const data::CsvProfile& profile);

}  // namespace tarry::lab
