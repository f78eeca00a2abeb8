#include "tarry/data/infer/find_label.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/label_words.h"
#include "tarry/data/infer/leaks.h"
#include "tarry/data/infer/time_units.h"

namespace tarry::data {
namespace {

const ColumnProfile* exactly(const CsvProfile& profile, std::string_view name) {
  for (const ColumnProfile& column : profile.columns)
    if (column.name == name) return &column;
  return nullptr;
}

// The column of that name; else the only time among whose words are all of its words.
const ColumnProfile* time_called(const CsvProfile& profile, std::string_view name) {
  if (const ColumnProfile* column = exactly(profile, name)) return column;
  const std::vector<std::string> wanted = words_of(std::string(name));
  const ColumnProfile* only = nullptr;
  for (const ColumnProfile& column : profile.columns) {
    const std::vector<std::string> words = words_of(column.name);
    const bool has_all = std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
    if (wanted.empty() || !has_all || !column.mostly_times()) continue;
    if (only != nullptr) return nullptr;
    only = &column;
  }
  return only;
}

// The places of "a - b" and "a − b" where both sides are times.
Difference difference_in(const CsvProfile& profile, const std::string& text) {
  for (const std::string_view minus : {"-", "\xE2\x88\x92"})
    for (std::size_t at = text.find(minus); at != std::string::npos; at = text.find(minus, at + 1)) {
      const std::string_view left = trimmed(std::string_view(text).substr(0, at));
      const std::string_view right = trimmed(std::string_view(text).substr(at + minus.size()));
      const ColumnProfile* later = time_called(profile, left);
      const ColumnProfile* earlier = time_called(profile, right);
      if (later != nullptr && earlier != nullptr && later != earlier) return {later, earlier};
    }
  return {};
}

// is_weekend and has_garden describe the row.
bool is_flag_name(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return words.size() > 1 && (words[0] == "is" || words[0] == "has");
}

constexpr std::size_t kFewClasses = 10;

// Of other names for a label, y may be a coordinate, class a seat and target a quota.
bool is_plainly_a_label(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return std::find(words.begin(), words.end(), "label") != words.end() || words == std::vector<std::string>{"outcome"};
}

// delivered_by and closing_code say something about the end, but are not what happened.
bool is_about_an_end(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  constexpr std::array<std::string_view, 6> kAbout = {"by", "code", "note", "notes", "reason", "comment"};
  return words.size() > 1 && std::find(kAbout.begin(), kAbout.end(), words.back()) != kAbout.end();
}

// Words that outcomes have, and much else: smoking_status, first_response_hours.
bool is_weak_outcome(const std::string& name) {
  constexpr std::array<std::string_view, 8> kWeak = {"status", "duration", "delay",   "response",
                                                     "result", "hours",    "minutes", "time"};
  const std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(kWeak.begin(), kWeak.end(), word) != kWeak.end();
  });
}

class LabelFinder {
 public:
  LabelFinder(const CsvProfile& profile, const LateLabelsKeys& keys, const FoundTimes& times)
      : profile_(profile), keys_(keys), times_(times) {}

  FoundLabel find(Questions& questions) const {
    Columns named, at_the_end, sounding, free;
    for (const ColumnProfile& column : profile_.columns) {
      if (!is_free(column)) continue;
      free.push_back(&column);
      if (is_label_name(column.name)) named.push_back(&column);
      if (is_known_later(column.name) && !is_time(column) && may_be_label(column) && !is_about_an_end(column.name) &&
          !column.style.length)  // resolution time
        at_the_end.push_back(&column);
      if (may_be_label(column) && !is_time(column) && may_be_outcome(column)) sounding.push_back(&column);
    }
    if (free.empty()) questions.fail("has no column for the label beside the times");
    while (free.size() > 1 && is_about_an_end(free.back()->name) && is_said_by_another(free)) free.pop_back();
    if (named.size() == 1 && (is_plainly_a_label(named.front()->name) || !has_rival(*named.front(), *free.back())))
      return {.column = named.front()};
    if (named.empty() && at_the_end.size() == 1) {
      if (!has_rival(*at_the_end.front(), *free.back())) return {.column = at_the_end.front()};
      if (sounding.size() == 1 && sounding.front() == free.back()) return {.column = free.back(), .by_place = true};
    }
    if (named.empty() && at_the_end.empty()) {
      if (const ColumnProfile* column = likely(sounding, free))
        return {.column = column, .by_place = column == free.back()};
    }
    const Columns columns = likeliest(named.size() > 1 ? named : free);
    std::vector<std::string> lines;
    if (named.empty() && at_the_end.empty() && times_.feedback && times_.feedback->mostly_dates() &&
        20 * times_.feedback->given < 19 * profile_.rows)
      lines.push_back(fmt::format("label = {}  # whether it is given", quoted(times_.feedback->name)));
    for (const ColumnProfile* column : columns) lines.push_back(fmt::format("label = {}", quoted(column->name)));
    if (lines.empty()) lines.emplace_back("label = \"…\"  # no column looks like it");
    questions.ask_lines("label", "what to predict (label)", std::move(lines));
    return {};
  }

 private:
  // The only one that sounds like an outcome; of several, the one that is missing where the feedback time is, or the
  // last column. Where none does, the one that is missing with the feedback time; else the last, unless that says
  // something of the row.
  const ColumnProfile* likely(const Columns& sounding, const Columns& free) const {
    const auto only = [&](const Columns& columns) {
      Columns missing;
      for (const ColumnProfile* column : columns)
        if (times_.feedback && missing_alike(profile_, *column, *times_.feedback)) missing.push_back(column);
      return missing.size() == 1 ? missing.front() : nullptr;
    };
    if (sounding.size() == 1) {  // unless the last looks more like one
      const ColumnProfile* last = free.back();
      const bool weak = is_weak_outcome(sounding.front()->name) && last->values.size() <= kFewClasses;
      const bool rival =
          has_rival(*sounding.front(), *last) || (weak && last != sounding.front() && may_be_label(*last) &&
                                                  !sounds_like_a_feature(last->name) && !is_known_without_time(*last));
      return rival && !is_flag_name(last->name) ? nullptr : sounding.front();
    }
    if (const ColumnProfile* column = only(sounding.empty() ? free : sounding); column && may_be_label(*column))
      return column;
    const ColumnProfile* last = free.back();
    if (!may_be_label(*last)) return nullptr;
    if (sounding.empty())
      return sounds_like_a_feature(last->name) || is_known_without_time(*last) || is_beside_a_flag(*last, free)
                 ? nullptr
                 : last;
    return sounding.back() == last ? last : nullptr;
  }

  // loss_reason is given where stage is "lost", and nowhere else: what is to be predicted is the stage.
  bool is_said_by_another(const Columns& free) const {
    const FoundTimes none;
    return std::any_of(free.begin(), free.end() - 1, [&](const ColumnProfile* column) {
      return Leaks(profile_, none, column, DateOrder::kNone).is_given_by_class(*free.back());
    });
  }

  // An amount at the end, and somewhere before it the only column of 0 and 1: either may be meant.
  static bool is_beside_a_flag(const ColumnProfile& last, const Columns& free) {
    if (!last.numbers() || last.values.size() <= kFewClasses || !is_amount_name(last.name)) return false;
    return std::count_if(free.begin(), free.end(), [](const ColumnProfile* column) {
             return column->numbers() && column->values.size() == 2 && are_two_classes(column->values) &&
                    !is_flag_name(column->name);
           }) == 1;
  }

  // By its name: late, paid, churned, or a word of the feedback time's name.
  bool may_be_outcome(const ColumnProfile& column) const {
    if (sounds_like_a_feature(column.name) || column.values.size() < 2 || is_of_the_past(column.name)) return false;
    return sounds_like_a_label(column.name) || (times_.feedback && share_a_word(column.name, times_.feedback->name) &&
                                                !(times_.event && share_a_word(column.name, times_.event->name)));
  }

  // Numbers that are there although the feedback mostly never came are no labels, nor are amounts.
  bool is_known_without_time(const ColumnProfile& column) const {
    if (!times_.feedback || !column.numbers() || column.values.size() <= 2 || column.given < profile_.rows)
      return false;
    const std::size_t without = profile_.rows - times_.feedback->given;
    return 2 * without > profile_.rows || (10 * without > profile_.rows && is_amount_name(column.name));
  }

  bool is_free(const ColumnProfile& column) const {
    return &column != times_.event && &column != times_.feedback && &column != times_.due &&
           (keys_.key.empty() || column.name != keys_.key) && !is_listed(keys_.ignore, column.name) &&
           !is_listed(keys_.include, column.name);
  }

  // Named like one, and by its cells; beside dates, a number is one only by its size.
  bool is_time(const ColumnProfile& column) const {
    const TimeName name = time_name(column.name);
    if (!may_be_time(column, profile_, keys_) || name.feedback == 0) return false;
    if (column.mostly_dates() || is_epoch(column)) return true;
    if (times_.event && times_.event->mostly_dates()) return false;
    return name.time || unit_in_name(column.name) > 0 || words_of(column.name).size() == 1;
  }

  // The last column says yes or no, and this is another one.
  static bool has_rival(const ColumnProfile& column, const ColumnProfile& last) {
    return &last != &column && last.values.size() == 2 && !is_flag_name(last.name) && are_two_classes(last.values);
  }

  bool may_be_label(const ColumnProfile& column) const {
    if (column.empty() || trimmed(column.name).empty()) return false;
    if (time_name(column.name).time && !column.nearly_numbers()) return false;  // dates that nobody could read
    if (column.nearly_numbers()) return !is_id_name(column.name);
    if (has_several_currencies(column)) return false;
    return !column.mostly_dates() && (column.repeats || column.values.size() < ColumnProfile::kValues);
  }

  Columns likeliest(Columns columns) const {
    std::erase_if(columns, [&](const ColumnProfile* column) { return !may_be_label(*column) || is_time(*column); });
    std::reverse(columns.begin(), columns.end());
    const auto score = [&](const ColumnProfile* column) {
      return 8 * is_label_name(column->name) + 4 * (is_known_later(column->name) && !is_time(*column)) +
             2 * sounds_like_a_label(column->name) + (column->values.size() == 2 ? 1 : 0);
    };
    std::stable_sort(columns.begin(), columns.end(),
                     [&](const ColumnProfile* a, const ColumnProfile* b) { return score(a) > score(b); });
    return columns;
  }

  const CsvProfile& profile_;
  const LateLabelsKeys& keys_;
  const FoundTimes& times_;
};

}  // namespace

FoundLabel said_label(const CsvProfile& profile, const LateLabelsKeys& keys, const Questions& questions) {
  if (keys.label.empty()) return {};
  if (const ColumnProfile* column = exactly(profile, keys.label)) return {.column = column};
  FoundLabel label{.difference = difference_in(profile, keys.label)};
  if (!label.said())
    questions.fail(
        fmt::format("label must be a column, or a difference of two times such as \"end − start\" (label = "
                    "{}; columns: {})",
                    quoted(keys.label), questions.all_names()));
  return label;
}

FoundLabel find_label(const CsvProfile& profile, const LateLabelsKeys& keys, const FoundTimes& times,
                      Questions& questions) {
  return LabelFinder(profile, keys, times).find(questions);
}

}  // namespace tarry::data
