#include "tarry/data/infer/find_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/time_units.h"

namespace tarry::data {
namespace {

constexpr const char* kEventMeaning = "when the features were known (event_time)";
constexpr const char* kFeedbackMeaning = "when the label was known (feedback_time)";

class TimeFinder {
 public:
  TimeFinder(const CsvProfile& profile, const LateLabelsKeys& keys, const Difference& label, Questions& questions)
      : profile_(profile), keys_(keys), label_(label), questions_(questions) {}

  FoundTimes find() {
    found_.event = given(keys_.event_time);
    found_.feedback = given(keys_.feedback_time);
    found_.due = given(keys_.due);
    given(keys_.key);                                      // refused where there is none
    if (!found_.feedback) found_.feedback = label_.later;  // which is when the difference is known
    const Columns events = found_.event ? Columns{} : named_like(&TimeName::event, found_.feedback);
    if (events.size() == 1) found_.event = events.front();
    const Columns feedbacks = found_.feedback ? Columns{} : named_like(&TimeName::feedback, found_.event);
    if (feedbacks.size() == 1) found_.feedback = feedbacks.front();
    if (events.empty() && feedbacks.empty() && !found_.event && !found_.feedback) by_order();
    if (!found_.event) found_.event = settle("event_time", kEventMeaning, events, feedbacks, found_.feedback);
    if (!found_.feedback) found_.feedback = settle("feedback_time", kFeedbackMeaning, feedbacks, events, found_.event);
    if (found_.event && found_.event == found_.feedback)
      questions_.fail("event_time and feedback_time must be two columns");
    if (found_.due && (found_.due == found_.event || found_.due == found_.feedback))
      questions_.fail(fmt::format("due must be a column of its own ({} is {})", found_.due->name,
                                  found_.due == found_.event ? "event_time" : "feedback_time"));
    return found_;
  }

 private:
  const ColumnProfile* given(const std::string& name) const {
    if (name.empty()) return nullptr;
    for (const ColumnProfile& column : profile_.columns)
      if (column.name == name) return &column;
    questions_.fail(fmt::format("no column {} (columns: {})", quoted(name), questions_.all_names()));
  }

  bool may_be(const ColumnProfile& column) const { return may_be_time(column, profile_, keys_); }

  // The columns whose names suit a role best, of those that are not the other role's already. What also suits the other
  // role is left out where something else suits.
  Columns named_like(int TimeName::*role, const ColumnProfile* other) const {
    Columns best, both;
    int most = 1;
    for (const ColumnProfile& column : profile_.columns) {
      if (&column == other || !may_be(column)) continue;
      const TimeName name = time_name(column.name);
      const int suits = name.*role;
      if (suits < most) continue;
      if (suits > most) best.clear(), both.clear();
      most = suits;
      (name.event > 0 && name.feedback > 0 ? both : best).push_back(&column);
    }
    return best.empty() ? both : best;
  }

  bool is_time(const ColumnProfile& column) const {
    return may_be(column) && (time_name(column.name).time || column.mostly_dates() || is_epoch(column));
  }

  // Numbers that never go back, as far as we look.
  bool runs_on(const ColumnProfile& column) const {
    double last = -std::numeric_limits<double>::infinity();
    bool on = may_be(column) && !is_label_name(column.name);
    for (std::size_t row = 0; on && row < profile_.sample.size(); ++row) {
      const double time = sampled_time(profile_, row, column, DateOrder::kNone);
      on = !(time < last);
      last = std::max(last, time);
    }
    return on;
  }

  Columns times_but(const ColumnProfile* known, const Columns& others, bool any) const {
    Columns times;
    for (const ColumnProfile& column : profile_.columns)
      if (&column != known && (any ? runs_on(column) : is_time(column)) &&
          std::find(others.begin(), others.end(), &column) == others.end())
        times.push_back(&column);
    return times;
  }

  // The only time that is left; else a question.
  const ColumnProfile* settle(const char* key, const char* what, const Columns& named, const Columns& others,
                              const ColumnProfile* known) {
    Columns choices = named;
    if (named.empty()) {
      choices = times_but(known, others, false);
      if (choices.size() == 1 && known != nullptr) return choices.front();
      if (choices.empty()) choices = times_but(known, others, true);
      if (choices.size() == 1 && choices == asked_) choices.clear();  // it cannot be both
    }
    asked_ = choices;
    questions_.ask(key, what, choices);
    return nullptr;
  }

  // Two columns of times, of which one is never before the other.
  void by_order() {
    const Columns times = times_but(nullptr, {}, false);
    if (times.size() != 2) return;
    bool first = true, second = true, differ = false;
    for (std::size_t row = 0; row < profile_.sample.size(); ++row) {
      const double a = sampled_time(profile_, row, *times[0], DateOrder::kMonthFirst);
      const double b = sampled_time(profile_, row, *times[1], DateOrder::kMonthFirst);
      if (a > b) first = false;
      if (b > a) second = false;
      differ = differ || a < b || b < a;
    }
    if (!differ || first == second) return;
    found_.event = times[first ? 0 : 1];
    found_.feedback = times[first ? 1 : 0];
  }

  const CsvProfile& profile_;
  const LateLabelsKeys& keys_;
  const Difference& label_;
  Questions& questions_;
  FoundTimes found_;
  Columns asked_;  // what the last question offered
};

}  // namespace

FoundTimes find_times(const CsvProfile& profile, const LateLabelsKeys& keys, const Difference& label,
                      Questions& questions) {
  return TimeFinder(profile, keys, label, questions).find();
}

bool may_be_time(const ColumnProfile& column, const CsvProfile& profile, const LateLabelsKeys& keys) {
  return (column.mostly_dates() || (column.mostly_numbers() && (column.values.size() > 2 || profile.rows < 3))) &&
         !is_listed(keys.ignore, column.name) && !is_listed(keys.categorical, column.name) &&
         column.name != keys.label && (keys.due.empty() || column.name != keys.due) &&
         (keys.key.empty() || column.name != keys.key);
}

void check_times(const Columns& times, const Questions& questions) {
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

DateOrder find_date_order(const Columns& times, const std::string& said, Questions& questions) {
  if (said == "day/month/year") return DateOrder::kDayFirst;
  if (said == "month/day/year") return DateOrder::kMonthFirst;
  bool written = false;
  const OddCell* day = nullptr;
  const OddCell* month = nullptr;
  for (const ColumnProfile* time : times) {
    written = written || time->written;
    if (day == nullptr && time->day_first.line > 0) day = &time->day_first;
    if (month == nullptr && time->month_first.line > 0) month = &time->month_first;
  }
  if (!written) return DateOrder::kNone;
  if (day && month)
    questions.fail(std::max(day->line, month->line),
                   fmt::format("dates must be in one order ({} in line {}, {} in line {})", quoted(day->text),
                               day->line, quoted(month->text), month->line));
  if (day) return DateOrder::kDayFirst;
  if (month) return DateOrder::kMonthFirst;
  questions.ask("dates", "whether days or months come first in dates such as " + times.front()->values.front(),
                std::vector<std::string>{"day/month/year", "month/day/year"});
  return DateOrder::kNone;
}

double sampled_time(const CsvProfile& profile, std::size_t row, const ColumnProfile& column, DateOrder order) {
  const auto index = static_cast<std::size_t>(&column - profile.columns.data());
  const std::string& cell = profile.sample[row][index];
  double time = 0;
  const bool read = column.mostly_dates() ? read_date(cell, order, time) : read_number(cell, time);
  return read ? time : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tarry::data
