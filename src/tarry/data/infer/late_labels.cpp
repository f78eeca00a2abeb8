#include "tarry/data/infer/late_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tarry/base/error.h"
#include "tarry/data/infer/column_names.h"

namespace tarry::lab {
namespace {

using Columns = std::vector<const ColumnProfile*>;

std::string names_of(const Columns& columns) {
  std::vector<std::string> names;
  for (const ColumnProfile* column : columns) names.push_back(column->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string quoted(const std::string& text) { return spec::brief({text}); }

bool listed(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

class Inference {
 public:
  Inference(const std::string& file, const CsvProfile& profile, const LateLabelsKeys& keys)
      : file_(file), profile_(profile), keys_(keys) {}

  LateLabels infer() {
    for (const auto* list : {&keys_.categorical, &keys_.ignore})
      for (const std::string& name : *list) column(name);
    find_times();
    find_label();
    find_loss();
    find_features();
    found_.options.sort = true;
    found_.options.missing_is_zero = true;
    found_.options.lenient = true;
    return std::move(found_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw Error(Code::kBadInput, fmt::format("{}: {}", file_, message));
  }

  std::string all_names() const {
    Columns all;
    for (const ColumnProfile& column : profile_.columns) all.push_back(&column);
    return names_of(all);
  }

  const ColumnProfile& column(const std::string& name) const {
    for (const ColumnProfile& column : profile_.columns)
      if (column.name == name) return column;
    fail(fmt::format("no column {} (columns: {})", quoted(name), all_names()));
  }

  // ---- times

  // Could be a time by its cells: no flag, no code of two values.
  bool may_be_time(const ColumnProfile& column) const {
    return column.times() && (column.values.size() > 2 || profile_.rows < 3) && !listed(keys_.ignore, column.name) &&
           !listed(keys_.categorical, column.name) && column.name != keys_.label;
  }

  // The columns whose names suit a role best, of those that are not the other role's already.
  Columns candidates(int TimeName::*role, const ColumnProfile* other) const {
    Columns best;
    int most = 1;
    for (const ColumnProfile& column : profile_.columns) {
      if (&column == other || !may_be_time(column)) continue;
      const int suits = time_name(column.name).*role;
      if (suits < most) continue;
      if (suits > most) best.clear();
      most = suits;
      best.push_back(&column);
    }
    return best;
  }

  Columns other_times(const ColumnProfile* known) const {
    Columns times;
    for (const ColumnProfile& column : profile_.columns)
      if (&column != known && may_be_time(column) && time_name(column.name).time) times.push_back(&column);
    return times;
  }

  const ColumnProfile* only_one(const Columns& columns, const char* key, const char* what) const {
    if (columns.size() > 1)
      fail(fmt::format("several columns may say when the {} ({}): give {}", what, names_of(columns), key));
    return columns.empty() ? nullptr : columns.front();
  }

  const ColumnProfile* given(const std::string& name) const { return name.empty() ? nullptr : &column(name); }

  void find_times() {
    constexpr const char* kEvent = "features were known";
    constexpr const char* kFeedback = "label was known";
    event_ = given(keys_.event_time);
    feedback_ = given(keys_.feedback_time);
    if (!event_) event_ = only_one(candidates(&TimeName::event, feedback_), "event_time", kEvent);
    if (!feedback_) feedback_ = only_one(candidates(&TimeName::feedback, event_), "feedback_time", kFeedback);
    if (!event_ && feedback_) event_ = only_one(other_times(feedback_), "event_time", kEvent);
    if (event_ && !feedback_) feedback_ = only_one(other_times(event_), "feedback_time", kFeedback);
    const auto missing = [&](const char* key, const char* what, const char* such) {
      fail(fmt::format("no column is named like the time when the {} ({}): give {} (columns: {})", what, such, key,
                       all_names()));
    };
    if (!event_ && !feedback_)
      fail(fmt::format(
          "no columns are named like the times when the {} (created_at, start_date, pickup_s …) and when the {} "
          "(answered_at, end_date, closed_min …): give event_time and feedback_time (columns: {})",
          kEvent, kFeedback, all_names()));
    if (!event_) missing("event_time", kEvent, "event_time, t_event, created_at, start_date …");
    if (!feedback_) missing("feedback_time", kFeedback, "feedback_time, t_feedback, answered_at, end_date …");
    if (event_ == feedback_) fail("event_time and feedback_time must be two columns");
    for (const auto* time : {event_, feedback_})
      if (!time->times())
        fail(fmt::format("{} must be numbers, or dates and times as in 2024-03-01T12:30, in every row", time->name));
    if (event_->numbers != feedback_->numbers)
      fail(fmt::format("{} and {} must both be numbers, or both be dates", event_->name, feedback_->name));
    found_.options.event_time = event_->name;
    found_.options.feedback_time = feedback_->name;
  }

  // ---- label and loss

  bool free(const ColumnProfile& column) const {
    return &column != event_ && &column != feedback_ && !listed(keys_.ignore, column.name);
  }

  void find_label() {
    Columns named, last;
    for (const ColumnProfile& column : profile_.columns) {
      if (!free(column)) continue;
      if (is_label_name(column.name)) named.push_back(&column);
      last = {&column};
    }
    if (!keys_.label.empty()) {
      label_ = &column(keys_.label);
      if (!free(*label_))
        fail(fmt::format("label must be a column of its own ({} is a time, or ignored)", label_->name));
    } else if (named.size() > 1) {
      fail(fmt::format("several columns may be the label ({}): give label", names_of(named)));
    } else if (named.empty() && last.empty()) {
      fail("has no column for the label beside the times");
    } else {
      label_ = named.empty() ? last.front() : named.front();
      by_place_ = named.empty();
    }
    if (label_->empty()) fail(fmt::format("{} must be given in some row: it is the label", label_->name));
    found_.options.label = label_->name;
  }

  void find_loss() {
    const std::vector<std::string>& values = label_->values;
    if (keys_.positive) {
      found_.options.positive = keys_.positive;
    } else if (label_->numbers && !is_two_classes()) {
      found_.loss = "squared";
    } else if (!label_->numbers) {
      if (values.size() == 1 || values.size() == ColumnProfile::kValues)
        fail(
            fmt::format("{} has {} ({}…): predictions are of 2 to {} classes, or of numbers; positive = {} makes it "
                        "that word against all others, label = \"…\" names another column",
                        label_->name, values.size() == 1 ? "one word only" : "too many words",
                        fmt::join(values.begin(), values.begin() + std::min<long>(3, std::ssize(values)), ", "),
                        ColumnProfile::kValues - 1, quoted(values.front())));
      if (values.size() == 2) {
        found_.options.positive = positive_of(values[0], values[1]);
      } else {
        found_.options.classes = values;
        std::sort(found_.options.classes.begin(), found_.options.classes.end());
        found_.loss = "softmax";
      }
    }
    if (found_.loss.empty()) found_.loss = "logistic";
    if (!keys_.loss.empty()) found_.loss = keys_.loss;
  }

  // 0 and 1, or −1 and 1, however they are written.
  bool is_two_classes() const {
    bool zero = false, minus = false, one = false;
    for (const std::string& value : label_->values) {
      double x = 0;
      read_number(value, x);
      if (x != 0 && x != 1 && x != -1) return false;
      (x == 0 ? zero : x == 1 ? one : minus) = true;
    }
    return one && zero != minus;
  }

  static std::string positive_of(const std::string& a, const std::string& b) {
    const auto says_yes = [](const std::string& word) {
      static constexpr std::array<std::string_view, 6> kYes = {"yes", "y", "true", "t", "positive", "pos"};
      const std::vector<std::string> words = words_of(word);
      return words.size() == 1 && std::find(kYes.begin(), kYes.end(), words[0]) != kYes.end();
    };
    if (says_yes(a) != says_yes(b)) return says_yes(a) ? a : b;
    return std::max(a, b);
  }

  // ---- features

  void find_features() {
    CsvOptions& options = found_.options;
    std::vector<std::string> ignored;
    for (const ColumnProfile& column : profile_.columns) {
      if (&column == event_ || &column == feedback_ || &column == label_) continue;
      if (const char* why = why_ignored(column))
        ignored.push_back(fmt::format("{} ({})", column.name.empty() ? "\"\"" : column.name, why));
      else if (column.numbers && !listed(keys_.categorical, column.name))
        options.features.push_back(column.name);
      else
        options.categorical.push_back(column.name);
    }
    if (options.features.empty() && options.categorical.empty())
      fail(fmt::format("no column is left to predict from{}",
                       ignored.empty() ? "" : fmt::format("; ignored: {}", fmt::join(ignored, ", "))));
    describe(ignored);
  }

  const char* why_ignored(const ColumnProfile& column) const {
    if (listed(keys_.ignore, column.name)) return "as asked";
    if (trimmed(column.name).empty()) return "no name";
    if (column.empty()) return "empty";
    if (listed(keys_.categorical, column.name)) return nullptr;
    if (comes_later(column)) return "known later than the features";
    if (column.numbers) return is_id(column) ? "an id" : nullptr;
    if (column.dates) return "a date";
    return column.repeats ? nullptr : "no word comes twice";
  }

  // A second later time, named as the other times are, or a count as it was in the end.
  bool comes_later(const ColumnProfile& column) const {
    const std::vector<std::string> words = words_of(column.name);
    if (words.empty()) return false;
    if (words.back() == "final") return true;
    const TimeName name = time_name(column.name);
    const bool as_they_are = words.size() == 1 || words.back() == words_of(event_->name).back() ||
                             words.back() == words_of(feedback_->name).back();
    return may_be_time(column) && name.feedback > 0 && (name.time || as_they_are);
  }

  static bool is_id(const ColumnProfile& column) {
    const std::vector<std::string> words = words_of(column.name);
    return !column.repeats && (std::find(words.begin(), words.end(), "id") != words.end() ||
                               (words.size() == 1 && (words[0] == "case" || words[0] == "key")));
  }

  void describe(const std::vector<std::string>& ignored) {
    const CsvOptions& options = found_.options;
    const std::string positive =
        options.positive ? fmt::format(", {} is +1", quoted(*options.positive)) : std::string();
    const std::string classes = options.classes.empty() ? "" : fmt::format(" over {} classes", options.classes.size());
    found_.read_as.push_back(fmt::format("event time {}, feedback time {}; label {}{}; loss {}{}{}", event_->name,
                                         feedback_->name, label_->name, by_place_ ? ", the last column" : "",
                                         found_.loss, classes, positive));
    const auto list = [](const char* what, const std::vector<std::string>& names) {
      return fmt::format("{}{}", what, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
    };
    found_.read_as.push_back(list("numbers: ", options.features) + "; " + list("words: ", options.categorical) + "; " +
                             list("ignored: ", ignored));
  }

  const std::string& file_;
  const CsvProfile& profile_;
  const LateLabelsKeys& keys_;
  const ColumnProfile* event_ = nullptr;
  const ColumnProfile* feedback_ = nullptr;
  const ColumnProfile* label_ = nullptr;
  bool by_place_ = false;  // the label is the last column, whatever its name
  LateLabels found_;
};

}  // namespace

LateLabels infer_late_labels(const std::string& file, const CsvProfile& profile, const LateLabelsKeys& keys) {
  return Inference(file, profile, keys).infer();
}

}  // namespace tarry::lab
