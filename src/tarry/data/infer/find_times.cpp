#include "tarry/data/infer/find_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/time_units.h"

namespace tarry::data {
namespace {

constexpr const char* kEventMeaning = "when the features were known (event_time)";
constexpr const char* kFeedbackMeaning = "when the label was known (feedback_time)";

// Before anybody knows which columns are times: as any of the table's dates shows it.
DateOrder likely_order(const CsvProfile& profile, const std::string& said) {
  if (said == "day/month/year") return DateOrder::kDayFirst;
  const bool day = std::any_of(profile.columns.begin(), profile.columns.end(),
                               [](const ColumnProfile& column) { return column.day_first.line > 0; });
  const bool dotted = std::any_of(profile.columns.begin(), profile.columns.end(),
                                  [](const ColumnProfile& column) { return column.written && column.dotted; });
  return said.empty() && (day || dotted) ? DateOrder::kDayFirst : DateOrder::kMonthFirst;
}

class TimeFinder {
 public:
  TimeFinder(const CsvProfile& profile, const LateLabelsKeys& keys, const Difference& label, Questions& questions)
      : profile_(profile),
        keys_(keys),
        label_(label),
        questions_(questions),
        order_(likely_order(profile, keys.dates)) {}

  FoundTimes find() {
    found_.event = given(keys_.event_time);
    found_.feedback = given(keys_.feedback_time);
    found_.due = given(keys_.due);
    given(keys_.key);                                      // refused where there is none
    if (!found_.feedback) found_.feedback = label_.later;  // which is when the difference is known
    const bool by_wait = !keys_.feedback.empty();          // then no column says when labels were known
    Columns events = found_.event ? Columns{} : named_like(&TimeName::event, found_.feedback);
    Columns feedbacks = found_.feedback || by_wait ? Columns{} : named_like(&TimeName::feedback, found_.event);
    drop_what_contradicts(events, feedbacks);
    if (events.size() == 1 && events == feedbacks && times_but(nullptr, {}, false).size() > 1)
      events.clear(), feedbacks.clear();  // a name for either: the rows decide
    if (events.size() > 1) keep_earliest(events);
    if (events.size() == 1) found_.event = events.front();
    std::erase(feedbacks, found_.event);
    if (feedbacks.size() > 1) keep_likely(feedbacks);
    if (feedbacks.size() == 1) found_.feedback = feedbacks.front();
    if (!by_wait && !(found_.event && found_.feedback)) by_order(events, feedbacks);
    if (by_wait)
      find_event_alone(events);
    else
      settle_both(events, feedbacks);
    put_in_order();
    refuse_twins();
    ask_if_at_once();
    return found_;
  }

 private:
  const ColumnProfile* given(const std::string& name) const {
    if (name.empty()) return nullptr;
    for (const ColumnProfile& column : profile_.columns)
      if (column.name == name) return &column;
    questions_.fail(fmt::format("no column {} (columns: {})", quoted(name), questions_.all_names()));
  }

  // Names that contradict all rows are believed less than these.
  void put_in_order() {
    if (!found_.event || !found_.feedback || !keys_.event_time.empty() || !keys_.feedback_time.empty() || label_.later)
      return;
    if (found_.event->mostly_dates() != found_.feedback->mostly_dates()) return;
    if (!follows(*found_.event, *found_.feedback) && follows(*found_.feedback, *found_.event))
      std::swap(found_.event, found_.feedback);
  }

  // A feedback that is at the event in every row says nothing of when the label was known.
  void ask_if_at_once() {
    constexpr std::size_t kFewest = 5;
    if (!found_.event || !found_.feedback || !keys_.feedback_time.empty() || label_.later) return;
    std::size_t same = 0;
    for (std::size_t row = 0; row < profile_.sample.size(); ++row) {
      const double event = sampled_time(profile_, row, *found_.event, order_);
      const double feedback = sampled_time(profile_, row, *found_.feedback, order_);
      if (std::isnan(event) || std::isnan(feedback)) continue;
      if (event != feedback) return;
      ++same;
    }
    if (same < kFewest) return;
    std::vector<std::string> lines;
    for (const ColumnProfile* time : times_but(found_.event, {found_.feedback}, false))
      if (lines.empty() && follows(*found_.event, *time))
        lines.push_back(fmt::format("feedback_time = {}", quoted(time->name)));
    lines.emplace_back("feedback = \"none\"    # known at once");
    lines.emplace_back("feedback = \"3 days\"  # so long after the event, in minutes, hours, days or weeks");
    questions_.ask_lines(
        "feedback",
        fmt::format("when the label was known (feedback_time, or feedback for all rows), since {} is {} "
                    "in every row",
                    found_.feedback->name, found_.event->name),
        lines);
    found_.feedback = nullptr;
  }

  void refuse_twins() const {
    if (found_.event && found_.event == found_.feedback)
      questions_.fail("event_time and feedback_time must be two columns");
    if (found_.due && (found_.due == found_.event || found_.due == found_.feedback))
      questions_.fail(fmt::format("due must be a column of its own ({} is {})", found_.due->name,
                                  found_.due == found_.event ? "event_time" : "feedback_time"));
  }

  bool may_be(const ColumnProfile& column) const { return may_be_time(column, profile_, keys_); }

  // The columns whose names suit a role best, of those that are not the other role's already. What also suits the other
  // role is left out where something else suits.
  Columns named_like(int TimeName::*role, const ColumnProfile* other) const {
    Columns best, both;
    int most = 1;
    for (const ColumnProfile& column : profile_.columns) {
      if (&column == other || !may_be(column) || is_other_date(column)) continue;
      const TimeName name = time_name(column.name);
      const int suits = name.*role;
      if (suits < most || is_small_beside_epochs(column) || (suits < 2 && !is_like_others(column))) continue;
      if (suits > most) best.clear(), both.clear();
      most = suits;
      (name.event > 0 && name.feedback > 0 ? both : best).push_back(&column);
    }
    return best.empty() ? both : best;
  }

  bool is_time(const ColumnProfile& column) const {
    return may_be(column) && !is_other_date(column) && is_like_others(column) &&
           (time_name(column.name).time || column.mostly_dates() || is_epoch(column));
  }

  // Dates of the row, or of its table, that are neither when it was seen nor when its label was known.
  static bool is_other_date(const ColumnProfile& column) {
    return is_planned(column.name) || is_of_the_past(column.name) || is_bookkeeping(column.name);
  }

  // Beside times since 1970, lead_time or sampled_items is no time, whatever its name.
  bool is_small_beside_epochs(const ColumnProfile& column) const {
    if (column.mostly_dates() || is_epoch(column)) return false;
    return std::any_of(profile_.columns.begin(), profile_.columns.end(), [&](const ColumnProfile& other) {
      return is_epoch(other) && may_be(other) && time_name(other.name).time && !is_other_date(other);
    });
  }

  // Beside dates, a number is a time only if it is one by its size.
  bool is_like_others(const ColumnProfile& column) const {
    if (column.mostly_dates() || is_epoch(column)) return true;
    if (is_small_beside_epochs(column)) return false;
    return std::none_of(profile_.columns.begin(), profile_.columns.end(), [&](const ColumnProfile& other) {
      return other.mostly_dates() && may_be(other) && !is_other_date(other);
    });
  }

  // Whether the second is nearly never before the first, as far as we look.
  bool follows(const ColumnProfile& first, const ColumnProfile& second) const {
    const TimesCompared compared = compare_times(profile_, first, second, order_);
    return compared.before <= compared.both / 20;
  }

  // Of several, those that have a counterpart on the right side.
  void drop_what_contradicts(Columns& events, Columns& feedbacks) const {
    const Columns first = found_.event ? Columns{found_.event} : events;
    const Columns second = found_.feedback ? Columns{found_.feedback} : feedbacks;
    if (first.empty() || second.empty()) return;
    const auto none_before = [&](const ColumnProfile* f) {
      return std::none_of(first.begin(), first.end(), [&](auto* e) { return e != f && follows(*e, *f); });
    };
    const auto none_after = [&](const ColumnProfile* e) {
      return std::none_of(second.begin(), second.end(), [&](auto* f) { return e != f && follows(*e, *f); });
    };
    if (feedbacks.size() > 1 && !std::all_of(feedbacks.begin(), feedbacks.end(), none_before))
      std::erase_if(feedbacks, none_before);
    if (events.size() > 1 && !std::all_of(events.begin(), events.end(), none_after)) std::erase_if(events, none_after);
  }

  // The event is what every row has, and what is before the others of its kind.
  void keep_earliest(Columns& events) const {
    const auto has_gaps = [&](const ColumnProfile* column) { return column->given < profile_.rows; };
    if (!std::all_of(events.begin(), events.end(), has_gaps)) std::erase_if(events, has_gaps);
    for (const ColumnProfile* one : events) {
      const bool earliest = std::all_of(events.begin(), events.end(), [&](const ColumnProfile* other) {
        if (other == one) return true;
        const TimesCompared compared = compare_times(profile_, *one, *other, order_);
        return compared.before == 0 && 2 * compared.after > compared.both;
      });
      if (!earliest) continue;
      events = {one};
      return;
    }
  }

  // The feedback time is missing where another column is, too, or has a word of its name: churned, churn_date.
  void keep_likely(Columns& feedbacks) const {
    for (const bool by_name : {true, false}) {
      Columns likely;
      for (const ColumnProfile* column : feedbacks)
        if (by_name ? names_an_outcome(*column) : is_missing_with_another(*column)) likely.push_back(column);
      if (likely.size() != 1) continue;
      feedbacks = likely;
      return;
    }
  }

  bool names_an_outcome(const ColumnProfile& time) const {
    return std::any_of(profile_.columns.begin(), profile_.columns.end(), [&](const ColumnProfile& column) {
      const bool said = !keys_.label.empty();
      return &column != &time && (said ? column.name == keys_.label : !column.mostly_dates() && !is_epoch(column)) &&
             !is_id_name(column.name) && share_a_word(column.name, time.name);
    });
  }

  bool is_missing_with_another(const ColumnProfile& time) const {
    return time.given < profile_.rows &&
           std::any_of(profile_.columns.begin(), profile_.columns.end(), [&](const ColumnProfile& column) {
             return &column != &time && !column.mostly_dates() && missing_alike(profile_, column, time);
           });
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

  // Two columns of times where one is never before the other; of more, the one that comes before all others is the
  // event.
  void by_order(Columns& events, Columns& feedbacks) {
    Columns times = times_but(nullptr, {}, false);
    if (times.size() == 2) {
      const auto one = compare_times(profile_, *times[0], *times[1], order_);
      const auto other = compare_times(profile_, *times[1], *times[0], order_);
      const bool first = one.before == 0 && one.after > 0, second = other.before == 0 && other.after > 0;
      const bool clear = first != second || (first && one.after > other.after);
      const ColumnProfile* event = times[first && (!second || one.after >= other.after) ? 0 : 1];
      const ColumnProfile* feedback = times[event == times[0] ? 1 : 0];
      const bool fits = (!found_.event || found_.event == event) && (!found_.feedback || found_.feedback == feedback);
      if (!(first || second) || !clear || !fits) return;
      found_.event = event;
      found_.feedback = feedback;
      return;
    }
    if (times.size() < 3) return;
    if (!found_.event && events.empty()) {
      Columns earliest = times;
      std::erase(earliest, found_.feedback);
      keep_earliest(earliest);
      if (earliest.size() == 1) events = earliest, found_.event = earliest.front();
    }
    if (!found_.feedback && feedbacks.empty() && found_.event) {
      std::erase_if(times, [&](auto* time) { return time == found_.event || !follows(*found_.event, *time); });
      if (times.size() > 1) keep_likely(times);
      if (times.size() == 1) found_.feedback = times.front();
    }
  }

  void find_event_alone(const Columns& events) {
    if (found_.event || !events.empty()) {
      if (!found_.event) questions_.ask("event_time", kEventMeaning, events);
      return;
    }
    Columns times = times_but(nullptr, {}, false);
    if (times.size() > 1) keep_earliest(times);
    if (times.size() == 1) found_.event = times.front();
    if (times.size() > 1 || (times.empty() && keys_.feedback != "none"))
      questions_.ask("event_time", kEventMeaning, times);
  }

  void settle_both(const Columns& events, const Columns& feedbacks) {
    Columns for_event = events, for_feedback = feedbacks;
    if (!found_.event && events.empty()) {
      for_event = times_but(found_.feedback, feedbacks, false);
      if (for_event.size() == 1 && found_.feedback && follows(*for_event.front(), *found_.feedback))
        found_.event = for_event.front();
      const bool only = for_event.size() == 1 && !found_.feedback && feedbacks.empty();
      if (only && for_event.front()->given == profile_.rows) found_.event = for_event.front();
      if (for_event.empty() && found_.feedback) for_event = times_but(found_.feedback, feedbacks, true);
    }
    if (!found_.feedback && feedbacks.empty()) {
      for_feedback = times_but(found_.event, events, false);
      if (found_.event) std::erase_if(for_feedback, [&](auto* time) { return !follows(*found_.event, *time); });
      if (for_feedback.size() == 1 && found_.event) found_.feedback = for_feedback.front();
    }
    const bool no_time = !found_.event && times_but(nullptr, {}, false).empty() && for_event.empty();
    if (!found_.event && !no_time) questions_.ask("event_time", kEventMeaning, for_event);
    if (found_.feedback) return;
    if (!found_.event && for_feedback.size() == 1 && for_feedback == for_event) for_feedback.clear();  // not both
    ask_for_feedback(for_feedback, no_time);
  }

  // A column, or one of two lines that say it for all rows.
  void ask_for_feedback(const Columns& columns, bool no_time) {
    std::vector<std::string> lines;
    for (const ColumnProfile* column : columns)
      lines.push_back(fmt::format("feedback_time = {}", quoted(column->name)));
    if (lines.size() > 2) lines.resize(2);
    if (columns.size() > 1) return questions_.ask("feedback_time", kFeedbackMeaning, columns);
    if (no_time)
      return questions_.ask_lines("feedback",
                                  "when the label was known, since no column looks like a time (event_time and "
                                  "feedback_time name columns, feedback says it for all rows)",
                                  {"feedback = \"none\"  # known at once; rows in the order of the file"});
    lines.emplace_back("feedback = \"none\"    # known at once");
    lines.emplace_back("feedback = \"3 days\"  # so long after the event, in minutes, hours, days or weeks");
    questions_.ask_lines("feedback", "when the label was known (feedback_time, or feedback for all rows)", lines);
  }

  const CsvProfile& profile_;
  const LateLabelsKeys& keys_;
  const Difference& label_;
  Questions& questions_;
  DateOrder order_;
  FoundTimes found_;
};

}  // namespace

FoundTimes find_times(const CsvProfile& profile, const LateLabelsKeys& keys, const Difference& label,
                      Questions& questions) {
  return TimeFinder(profile, keys, label, questions).find();
}

}  // namespace tarry::data
