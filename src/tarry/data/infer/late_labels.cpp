#include "tarry/data/infer/late_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/data/infer/column_kind.h"
#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/find_features.h"
#include "tarry/data/infer/find_label.h"
#include "tarry/data/infer/find_times.h"
#include "tarry/data/infer/label_words.h"
#include "tarry/data/infer/time_units.h"
#include "tarry/data/text/duration.h"

namespace tarry::data {
namespace {

LateLabelsKeys ordered(LateLabelsKeys keys) {
  for (auto* list : {&keys.categorical, &keys.ignore, &keys.include}) std::sort(list->begin(), list->end());
  return keys;
}

class Inference {
 public:
  Inference(const std::string& file, const CsvProfile& profile, const LateLabelsKeys& keys,
            const ProfileWhereGiven& where_given)
      : questions_(file, profile), profile_(profile), keys_(ordered(keys)), where_given_(where_given) {
    found_.reading.file = file;
  }

  LateLabels infer() {
    refuse_unknown_columns();
    label_ = said_label(profile_, keys_, questions_);
    times_ = find_times(profile_, keys_, label_.difference, questions_);
    if (!label_.said()) label_ = find_label(profile_, keys_, times_, questions_);
    const Columns times = time_columns();
    order_ = find_date_order(profile_, times, keys_.dates, questions_);
    if (questions_.open().empty()) {
      check_times(times, questions_);
      refuse_label_as_time();
      take_times();
      if (label_.difference.later)
        take_difference();
      else
        find_loss();
      if (!keys_.loss.empty()) found_.loss = keys_.loss;
    }
    found_.reading.questions = questions_.open();
    describe();
    CsvOptions& options = found_.options;
    options.key = keys_.key;
    options.sort = times_.event != nullptr;
    options.missing = Missing::kAbsent;
    options.lenient = true;
    options.local = true;
    return std::move(found_);
  }

 private:
  void refuse_unknown_columns() const {
    std::vector<std::string> names;
    for (const ColumnProfile& column : profile_.columns) names.push_back(column.name);
    std::sort(names.begin(), names.end());
    for (const auto* list : {&keys_.categorical, &keys_.ignore, &keys_.include})
      for (const std::string& name : *list)
        if (!is_listed(names, name))
          questions_.fail(fmt::format("no column {} (columns: {})", quoted(name), questions_.all_names()));
  }

  Columns time_columns() const {
    Columns all;
    for (const ColumnProfile* column :
         {times_.event, times_.feedback, times_.due, label_.difference.later, label_.difference.earlier})
      if (column != nullptr && std::find(all.begin(), all.end(), column) == all.end()) all.push_back(column);
    return all;
  }

  // ---- times

  void take_times() {
    CsvOptions& options = found_.options;
    if (times_.event) options.event_time = times_.event->name;
    if (times_.feedback) options.feedback_time = times_.feedback->name;
    options.due = keys_.due;
    options.time_unit = times_.event ? time_unit(*times_.event) : 0;
    options.dates = order_;
    for (const ColumnProfile* column : time_columns())
      if (column->compact) options.compact.push_back(column->name);
    options.zero_is_never = times_.feedback && times_.feedback->never > 0;
    options.end_of_day = times_.feedback && times_.feedback->mostly_dates() && !times_.feedback->has_time;
    if (!keys_.feedback.empty()) take_wait();
    if (keys_.expiry) {
      if (options.time_unit == 0) questions_.fail("expiry needs times in a unit that is known, such as dates");
      options.expiry = keys_.expiry;
    }
  }

  void take_wait() {
    CsvOptions& options = found_.options;
    double seconds = 0;
    if (keys_.feedback != "none" && !read_duration(keys_.feedback, seconds))
      questions_.fail(fmt::format("feedback must be \"none\" or a time such as \"3 days\" (feedback = {})",
                                  quoted(keys_.feedback)));
    if (seconds > 0 && options.time_unit == 0)
      questions_.fail(fmt::format("feedback = {} needs an event_time in a unit that is known, such as dates",
                                  quoted(keys_.feedback)));
    options.wait = seconds > 0 ? seconds / options.time_unit : 0;
  }

  // ---- label and loss

  void refuse_label_as_time() const {
    if (label_.column == nullptr) return;
    if (label_.column->name == keys_.key)
      questions_.fail(fmt::format("label must be a column of its own ({} is the key)", keys_.key));
    if (label_.column == times_.event || label_.column == times_.due ||
        (label_.column == times_.feedback && !label_is_given_or_not()) || is_listed(keys_.ignore, label_.column->name))
      questions_.fail(fmt::format("label must be a column of its own ({} is a time, or ignored)", label_.column->name));
    if (label_.column->empty())
      questions_.fail(fmt::format("{} must be given in some row: it is the label", label_.column->name));
  }

  // Of a time that not every row has, that it is given is what to predict: returned_at, cancelled_on.
  bool label_is_given_or_not() const {
    return label_.column != nullptr && label_.column == times_.feedback && label_.column->mostly_dates() &&
           label_.column->given < profile_.rows;
  }

  // In the unit that suits the differences that are seen first.
  void take_difference() {
    const auto& [later, earlier] = label_.difference;
    Vec differences;
    for (std::size_t row = 0; row < profile_.sample.size(); ++row) {
      const double d = sampled_time(profile_, row, *later, order_) - sampled_time(profile_, row, *earlier, order_);
      if (std::isfinite(d)) differences.push_back(std::fabs(d));
    }
    CsvOptions& options = found_.options;
    options.label = later->name;
    options.label_minus = earlier->name;
    found_.loss = keys_.usual.numbers;
    label_text_ = fmt::format("{} − {}", later->name, earlier->name);
    if (options.time_unit == 0 || differences.empty()) {
      label_text_ += ", in the columns' own unit";
      return;
    }
    const auto middle = differences.begin() + std::ssize(differences) / 2;
    std::nth_element(differences.begin(), middle, differences.end());
    const DurationUnit unit = suitable_unit(*middle * options.time_unit);
    options.label_divide = unit.seconds / options.time_unit;
    label_text_ += fmt::format(", in {}", unit.name);
  }

  // What is written in rows whose label never came is no class: "open", "pending", −1.
  ColumnProfile known_labels() const {
    const bool all_known = !times_.feedback || times_.feedback->given == profile_.rows;
    const bool many = label_.column->numbers() && label_.column->values.size() == ColumnProfile::kValues;
    if (all_known || many || !where_given_) return *label_.column;
    const auto place = [&](const ColumnProfile* column) {
      return static_cast<std::size_t>(column - profile_.columns.data());
    };
    return where_given_(place(label_.column), place(times_.feedback));
  }

  void find_loss() {
    CsvOptions& options = found_.options;
    options.label = label_text_ = label_.column->name;
    if (label_.by_place) label_text_ += ", the last column";
    if (label_is_given_or_not()) return take_given_or_not();
    ColumnProfile known = known_labels();
    if (known.empty())
      questions_.fail(
          fmt::format("{} must be given in some row that has {}: it is the label", known.name, times_.feedback->name));
    take_words(known);
    auto& values = known.values;
    if (values.size() == 1 && !keys_.positive && !keys_.expiry && !keys_.blank && !is_deadline_possible() &&
        label_.column->given < profile_.rows)
      return ask_for_blank(values.front());
    if (keys_.blank) take_blank(known);
    if (keys_.expiry && std::find(values.begin(), values.end(), keys_.expiry->label) == values.end()) {
      values.push_back(keys_.expiry->label);
      known.number_cells = 0;  // two words, whatever they are
    }
    if (values.size() == 1 && !keys_.positive && is_deadline(known)) return;
    const bool numbers = known.nearly_numbers() && !((keys_.expiry || keys_.blank) && known.number_cells == 0);
    if (!keys_.positive && !numbers && (values.size() == 1 || values.size() == ColumnProfile::kValues))
      refuse_words(known, questions_);
    LabelKind kind = kind_of(known, numbers);
    found_.loss = std::move(kind.loss);
    options.positive = std::move(kind.positive);
    options.classes = std::move(kind.classes);
    if (found_.loss != keys_.usual.numbers || (known.numbers() && known.style.plain)) return;
    options.styles[known.name] = label_.column->style;
    if (!label_.column->style.unit.empty()) label_text_ += fmt::format(", in {}", label_.column->style.unit);
  }

  // Spellings of one class, and words that are none.
  void take_words(ColumnProfile& known) {
    if (known.nearly_numbers()) return;
    if (has_several_currencies(known))
      questions_.fail(fmt::format("{} must be in one currency ({} came)", known.name, listed(known.units)));
    LabelWords words = label_words(known.values);
    std::vector<std::string> same;
    for (const auto& [spelt, meant] : words.spellings) same.push_back(fmt::format("{} is {}", spelt, meant));
    if (!same.empty())
      label_notes_.push_back(fmt::format("{}: one class, however it is spelt: {}", known.name, listed(same)));
    if (!words.none.empty())
      label_notes_.push_back(
          fmt::format("{}: {} is not a label: such rows have none yet", known.name, listed(words.none)));
    known.values = std::move(words.values);
    found_.options.spellings = std::move(words.spellings);
    found_.options.no_labels = std::move(words.none);
  }

  bool is_deadline_possible() const { return times_.feedback && times_.feedback->given < profile_.rows; }

  // One word, or nothing: X marks those that were disputed.
  void ask_for_blank(const std::string& word) {
    questions_.ask_lines("blank",
                         fmt::format("what a row without {} means (blank), since {} is the only word in it",
                                     label_.column->name, quoted(word)),
                         {fmt::format("blank = {}", quoted(opposite(word)))});
  }

  void take_blank(ColumnProfile& known) {
    found_.options.blank = keys_.blank;
    if (std::find(known.values.begin(), known.values.end(), *keys_.blank) == known.values.end())
      known.values.push_back(*keys_.blank);
    known.number_cells = 0;
    label_notes_.push_back(fmt::format("{}: not given is {}", known.name, quoted(*keys_.blank)));
  }

  void take_given_or_not() {
    CsvOptions& options = found_.options;
    options.label_given = true;
    options.positive = "yes";
    found_.loss = keys_.usual.two_classes;
    label_text_ += ", whether it is given";
    if (options.expiry) options.expiry->label = "no";
    if (!keys_.expiry)
      questions_.ask_lines("expiry",
                           fmt::format("after how many days a row without {} counts as no (expiry)", options.label),
                           {"expiry = { days = 30, label = \"no\" }"});
  }

  LabelKind kind_of(const ColumnProfile& known, bool numbers) const {
    if (keys_.positive) {
      const auto spelt = found_.options.spellings.find(*keys_.positive);
      return {keys_.usual.two_classes, spelt == found_.options.spellings.end() ? *keys_.positive : spelt->second};
    }
    if (numbers && are_two_numbers(known) && keys_.loss.empty() && !are_two_classes(known.values)) {
      const auto& values = known.values;
      const bool longer = values[0].size() > values[1].size();
      const bool first = values[0].size() == values[1].size() ? values[0] > values[1] : longer;
      return {keys_.usual.two_classes, values[first ? 0 : 1]};
    }
    return kind_of_labels(known.values, numbers && keys_.loss != keys_.usual.classes, keys_.usual, known.name,
                          keys_.loss == keys_.usual.classes);
  }

  // Only one label ever has a time: the others are what is left when nothing more comes. Whether that is asked for.
  bool is_deadline(const ColumnProfile& known) {
    if (!is_deadline_possible()) return false;
    ask_for_deadline(known.values.front(), *label_.column, times_.feedback->name, questions_);
    return true;
  }

  // ---- for people and programs

  void describe() {
    const CsvOptions& options = found_.options;
    const bool clear = questions_.open().empty();
    if (clear) {
      const std::string positive =
          options.positive ? fmt::format(", {} is +1", quoted(*options.positive)) : std::string();
      const std::string classes =
          options.classes.empty() ? "" : fmt::format(" over {} classes", options.classes.size());
      const std::string due = times_.due != nullptr ? ", due " + times_.due->name : std::string();
      found_.read_as.push_back(
          fmt::format("{}{}; label {}; loss {}{}{}", spoken_times(), due, label_text_, found_.loss, classes, positive));
    }
    if (times_.feedback && times_.feedback->never > 0)
      found_.read_as.push_back(fmt::format("{} at the beginning of 1970 means none: {} rows have no label yet",
                                           times_.feedback->name, times_.feedback->never));
    found_.read_as.insert(found_.read_as.end(), label_notes_.begin(), label_notes_.end());
    FeatureFinder features(profile_, keys_, times_, label_, order_, questions_);
    features.find(found_, clear);
    found_.reading.end_of_day = options.end_of_day;
    if (!clear) return guess_label_kind();
    if (options.end_of_day)
      found_.read_as.push_back(
          fmt::format("{} has no time of day: labels are known at the end of that day", times_.feedback->name));
    if (options.expiry)
      found_.read_as.push_back(fmt::format("a row without {} is {} after {}",
                                           times_.feedback ? times_.feedback->name : "a label",
                                           quoted(options.expiry->label), spoken_duration(options.expiry->seconds)));
    take_reading();
  }

  std::string spoken_times() const {
    const std::string event = times_.event ? "event time " + times_.event->name : "rows in the order of the file";
    if (times_.feedback) return event + ", feedback time " + times_.feedback->name;
    return event + (keys_.feedback == "none" ? ", labels known at once" : ", labels known after " + keys_.feedback);
  }

  // While something is asked for, as all its cells say.
  void guess_label_kind() {
    if (label_.column == nullptr) return;
    const ColumnProfile& label = *label_.column;
    if (label_is_given_or_not() || label.values.size() == 1) {
      found_.reading.label_kind = "two classes";
      return;
    }
    const LabelKind kind = kind_of(label, label.nearly_numbers());
    found_.reading.label_kind = spoken_kind(kind.loss, !kind.classes.empty());
  }

  std::string spoken_kind(const std::string& loss, bool classes) const {
    return loss == keys_.usual.two_classes ? "two classes" : classes ? "classes" : "number";
  }

  void take_reading() {
    const CsvOptions& options = found_.options;
    Reading& reading = found_.reading;
    reading.dates = order_ == DateOrder::kDayFirst     ? "day/month/year"
                    : order_ == DateOrder::kMonthFirst ? "month/day/year"
                                                       : "";
    reading.loss = found_.loss;
    reading.label_kind = spoken_kind(found_.loss, !options.classes.empty());
    if (options.positive) reading.positive = *options.positive;
    reading.classes = options.classes;
    reading.expiry = options.expiry;
    if (label_.difference.later) reading.label = label_text_.substr(0, label_text_.find(','));
  }

  Questions questions_;
  const CsvProfile& profile_;
  const LateLabelsKeys keys_;
  const ProfileWhereGiven& where_given_;
  FoundTimes times_;
  FoundLabel label_;
  DateOrder order_ = DateOrder::kNone;
  std::string label_text_;  // for people, as are
  std::vector<std::string> label_notes_;
  LateLabels found_;
};

}  // namespace

LateLabels look_for_late_labels(const std::string& file, const CsvProfile& profile, const LateLabelsKeys& keys,
                                const ProfileWhereGiven& where_given) {
  return Inference(file, profile, keys, where_given).infer();
}

void throw_if_questions(const std::string& file, const LateLabels& found) {
  if (found.reading.questions.empty()) return;
  std::vector<std::string> names;
  for (const ColumnReading& column : found.reading.columns) names.push_back(column.name);
  throw OpenQuestions(fmt::format("{}: {}", file, spoken(found.reading.questions, listed(names))),
                      found.reading.questions);
}

LateLabels infer_late_labels(const std::string& file, const CsvProfile& profile, const LateLabelsKeys& keys,
                             const ProfileWhereGiven& where_given) {
  LateLabels found = look_for_late_labels(file, profile, keys, where_given);
  throw_if_questions(file, found);
  return found;
}

}  // namespace tarry::data
