#include "tarry/lab/logged/log_columns.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/data/infer/column_names.h"
#include "tarry/spec/value.h"

namespace tarry::lab {

using namespace data;

void find_times(LogColumns& columns, const CsvProfile& profile) {
  const bool given = !columns.feedback_time.empty();
  for (const ColumnProfile& column : profile.columns) {
    const TimeName name = time_name(column.name);
    if (!name.time || !column.times()) continue;
    if (columns.event_time.empty() && name.event == 2) columns.event_time = column.name;
    if (columns.feedback_time.empty() && name.feedback == 2) columns.feedback_time = column.name;
  }
  if (!columns.event_time.empty()) return;
  if (given) throw Error(Code::kBadSpec, "logged: feedback_time needs event_time");
  columns.feedback_time.clear();
}

void check_columns(const LogColumns& columns, const CsvProfile& profile, const std::string& path) {
  Names all;
  for (const ColumnProfile& column : profile.columns) all.push_back(column.name);
  const auto wanted = [&](const char* key, const std::string& name) {
    if (!name.empty() && !has(all, name))
      throw Error(Code::kBadInput, fmt::format("{}: no column {} for {} (columns: {})", path, spec::brief({name}), key,
                                               fmt::join(all, ", ")));
  };
  wanted("action", columns.action);
  wanted("probability", columns.probability);
  wanted("reward", columns.reward);
  wanted("event_time", columns.event_time);
  wanted("feedback_time", columns.feedback_time);
  for (const auto& [key, names] : {std::pair{"categorical", &columns.categorical}, std::pair{"ignore", &columns.ignore},
                                   std::pair{"policies", &columns.policies}})
    for (const std::string& name : *names) wanted(key, name);
}

LogContext context_of(const LogColumns& columns, const CsvProfile& profile) {
  LogContext context;
  for (const ColumnProfile& column : profile.columns) {
    const std::string& name = column.name;
    if (has({columns.action, columns.probability, columns.reward, columns.event_time, columns.feedback_time}, name) ||
        has(columns.policies, name))
      continue;
    const bool word = has(columns.categorical, name) || !column.numbers();
    const bool date = column.date_cells > 0 && column.dates();
    if (has(columns.ignore, name) || column.empty() || date || (!column.repeats && (word || is_id_name(name))))
      context.ignored.push_back(name);
    else
      (word ? context.words : context.numbers).push_back(name);
  }
  return context;
}

}  // namespace tarry::lab
