// Whether columns of times can be read as such, and in which order their dates have days and months.
#include <fmt/format.h>

#include <algorithm>

#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/find_times.h"
#include "tarry/data/infer/time_units.h"

namespace tarry::data {

bool may_be_time(const ColumnProfile& column, const CsvProfile& profile, const LateLabelsKeys& keys) {
  const bool numbers = column.mostly_numbers() && (column.values.size() > 2 || profile.rows < 3) &&
                       column.style.plain && !is_amount_name(column.name);
  return (column.mostly_dates() || numbers) && !is_listed(keys.ignore, column.name) &&
         !is_listed(keys.categorical, column.name) && (column.name != keys.label || column.mostly_dates()) &&
         (keys.due.empty() || column.name != keys.due) && (keys.key.empty() || column.name != keys.key);
}

void check_times(const Columns& times, const Questions& questions) {
  if (times.empty()) return;  // rows in the order of the file
  constexpr const char* kDate = "a date and time as in 2024-03-01T12:30";
  for (const ColumnProfile* time : times) {
    if (time->times()) continue;
    if (!time->mostly_times())
      questions.fail(
          fmt::format("{} must be numbers, or dates and times as in 2024-03-01T12:30, in every row", time->name));
    const bool dates = time->mostly_dates();
    const OddCell& odd = dates ? time->not_date : time->not_number;
    questions.fail(odd.line, fmt::format("{} must be {}, as in the other rows ({} came)", time->name,
                                         dates ? kDate : "a number", quoted(odd.text)));
  }
  for (const ColumnProfile* time : times)
    if (time->numbers() != times.front()->numbers())
      questions.fail(fmt::format("{} and {} must both be numbers, or both be dates", times.front()->name, time->name));
  const double unit = time_unit(*times.front());
  for (const ColumnProfile* time : times)
    if (const double other = time_unit(*time); unit > 0 && other > 0 && other != unit)
      questions.fail(
          fmt::format("{} and {} must be in the same unit (one of {:g} s and one of {:g} s, by their names "
                      "or sizes)",
                      times.front()->name, time->name, unit, other));
}

DateOrder find_date_order(const CsvProfile& profile, const Columns& times, const std::string& said,
                          Questions& questions) {
  if (said == "day/month/year") return DateOrder::kDayFirst;
  if (said == "month/day/year") return DateOrder::kMonthFirst;
  const ColumnProfile* written = nullptr;
  const OddCell* day = nullptr;
  const OddCell* month = nullptr;
  for (const ColumnProfile* time : times) {
    if (written == nullptr && time->written) written = time;
    if (day == nullptr && time->day_first.line > 0) day = &time->day_first;
    if (month == nullptr && time->month_first.line > 0) month = &time->month_first;
  }
  if (written == nullptr) return DateOrder::kNone;
  if (day && month)
    questions.fail(std::max(day->line, month->line),
                   fmt::format("dates must be in one order ({} in line {}, {} in line {})", quoted(day->text),
                               day->line, quoted(month->text), month->line));
  if (day) return DateOrder::kDayFirst;
  if (month) return DateOrder::kMonthFirst;
  if (written->dotted) return DateOrder::kDayFirst;
  if (times.size() > 1) {  // in the wrong order some labels would be known before their rows
    const auto before = [&](DateOrder order) { return compare_times(profile, *times[0], *times[1], order).before; };
    const std::size_t by_day = before(DateOrder::kDayFirst), by_month = before(DateOrder::kMonthFirst);
    if (by_day == 0 && by_month > 1) return DateOrder::kDayFirst;
    if (by_month == 0 && by_day > 1) return DateOrder::kMonthFirst;
  }
  questions.ask("dates", "whether days or months come first in dates such as " + written->values.front(),
                std::vector<std::string>{"day/month/year", "month/day/year"});
  return DateOrder::kNone;
}

}  // namespace tarry::data
