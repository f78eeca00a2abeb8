#include "tarry/data/infer/left_out.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/time_units.h"

namespace tarry::data {

std::string LeftOut::why(const ColumnProfile& column, Kind kind) const {
  if (is_listed(keys_.ignore, column.name)) return "as asked";
  if (!keys_.key.empty() && column.name == keys_.key) return "the key";
  if (trimmed(column.name).empty()) return "no name";
  if (column.empty()) return "empty";
  if (is_listed(keys_.include, column.name) || is_listed(keys_.categorical, column.name)) return "";
  const bool later_clock = column.style.length && time_name(column.name).feedback > 0;  // delivery_time: 17:05:00
  if (is_known_later(column.name) || is_later_time(column) || later_clock) return "known later than the features";
  if (is_known_with_the_label(column)) return "given only where the label is: known later than the features";
  if (std::string why = leaks_.why(column); !why.empty()) return why;
  if (kind == Kind::kNumber)
    return !column.repeats && (is_id_name(column.name) || column.name.starts_with("Unnamed: ") ||
                               is_row_count(column.name) || counts_rows(column))
               ? "an id"
               : "";
  if (kind == Kind::kTime) return why_date(column);
  if (kind == Kind::kText || kind == Kind::kSet) return "";
  return column.repeats ? "" : "no word comes twice";
}

// The first column, where each row has one more than the row before, or one less.
bool LeftOut::counts_rows(const ColumnProfile& column) const {
  constexpr std::size_t kFewest = 20;
  if (&column != profile_.columns.data() || profile_.sample.size() < kFewest || !column.numbers()) return false;
  const double step = sampled_time(profile_, 1, column, order_) - sampled_time(profile_, 0, column, order_);
  if (std::fabs(step) != 1) return false;
  for (std::size_t row = 1; row < profile_.sample.size(); ++row)
    if (sampled_time(profile_, row, column, order_) - sampled_time(profile_, row - 1, column, order_) != step)
      return false;
  return true;
}

// A date is a feature where it was known: it is before the event, or was planned.
std::string LeftOut::why_date(const ColumnProfile& column) const {
  if (!times_.event || !times_.event->mostly_dates()) return "a date";
  if (is_planned(column.name)) return "";
  const TimesCompared compared = compare_times(profile_, *times_.event, column, order_);
  const bool same_day = !column.has_time;
  if (is_bookkeeping(column.name)) return "a date of the table, not of the row";
  return compared.after == 0 || (same_day && compared.after <= compared.both / 50) ? "" : "a date after the event";
}

bool LeftOut::is_known_with_the_label(const ColumnProfile& column) const {
  return times_.feedback && column.given + 2 <= profile_.rows && missing_alike(profile_, column, *times_.feedback);
}

// A second later time: named as the other times are, or a time by its size that is after the event wherever we look.
bool LeftOut::is_later_time(const ColumnProfile& column) const {
  if (!times_.event || !times_.feedback || is_planned(column.name)) return false;
  const std::vector<std::string> words = words_of(column.name);
  if (words.empty() || !may_be_time(column, profile_, keys_)) return false;
  const TimeName name = time_name(column.name);
  const bool as_they_are = words.size() == 1 || words.back() == words_of(times_.event->name).back() ||
                           words.back() == words_of(times_.feedback->name).back();
  if (name.feedback > 0 && (name.time || as_they_are)) return true;
  if (!is_epoch(column) || !is_epoch(*times_.event)) return false;
  std::size_t after = 0;
  for (std::size_t row = 0; row < profile_.sample.size(); ++row) {
    const double event = sampled_time(profile_, row, *times_.event, order_);
    const double time = sampled_time(profile_, row, column, order_);
    if (time <= event) return false;
    after += time > event ? 1 : 0;
  }
  return after >= 5;
}

}  // namespace tarry::data
