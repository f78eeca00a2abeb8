// Times in the rows that were looked at, compared row by row.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/data/infer/find_times.h"

namespace tarry::data {

bool missing_alike(const CsvProfile& profile, const ColumnProfile& a, const ColumnProfile& b) {
  const auto first = static_cast<std::size_t>(&a - profile.columns.data());
  const auto second = static_cast<std::size_t>(&b - profile.columns.data());
  if (a.given != b.given || a.given == profile.rows) return false;
  return std::all_of(profile.sample.begin(), profile.sample.end(),
                     [&](const std::vector<std::string>& row) { return a.lacks(row[first]) == b.lacks(row[second]); });
}

TimesCompared compare_times(const CsvProfile& profile, const ColumnProfile& first, const ColumnProfile& second,
                            DateOrder order) {
  const double end = second.mostly_dates() && !second.has_time ? kEndOfDay : 0;
  TimesCompared compared;
  for (std::size_t row = 0; row < profile.sample.size(); ++row) {
    const double a = sampled_time(profile, row, first, order), b = sampled_time(profile, row, second, order);
    if (std::isnan(a) || std::isnan(b)) continue;
    ++compared.both;
    compared.before += b + end < a ? 1 : 0;
    compared.after += b > a ? 1 : 0;
  }
  return compared;
}

double sampled_time(const CsvProfile& profile, std::size_t row, const ColumnProfile& column, DateOrder order) {
  const auto index = static_cast<std::size_t>(&column - profile.columns.data());
  const std::string& cell = profile.sample[row][index];
  TimeCell time;
  double number = 0;
  if (column.lacks(cell)) return std::numeric_limits<double>::quiet_NaN();
  if (column.compact ? read_compact_date(cell, time) : column.mostly_dates() && read_time_cell(cell, order, time))
    return time.seconds;
  return !column.mostly_dates() && read_styled(cell, column.style, number) ? number
                                                                           : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tarry::data
