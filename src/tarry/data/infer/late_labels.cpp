#include "tarry/data/infer/late_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/find_label.h"
#include "tarry/data/infer/find_times.h"
#include "tarry/data/infer/left_out.h"
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
      : questions_(file, profile), profile_(profile), keys_(ordered(keys)), where_given_(where_given) {}

  LateLabels infer() {
    refuse_unknown_columns();
    label_ = said_label(profile_, keys_, questions_);
    times_ = find_times(profile_, keys_, label_.difference, questions_);
    if (!label_.said()) label_ = find_label(profile_, keys_, times_, questions_);
    const Columns times = time_columns();
    order_ = find_date_order(times, keys_.dates, questions_);
    questions_.throw_if_any();
    check_times(times, questions_);
    refuse_label_as_time();
    CsvOptions& options = found_.options;
    options.event_time = times_.event->name;
    options.feedback_time = times_.feedback->name;
    options.due = keys_.due;
    options.key = keys_.key;
    options.time_unit = time_unit(*times_.event);
    options.dates = order_;
    if (label_.difference.later)
      take_difference();
    else
      find_loss();
    if (!keys_.loss.empty()) found_.loss = keys_.loss;
    find_features();
    options.sort = true;
    options.missing = Missing::kAbsent;
    options.lenient = true;
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

  // ---- label and loss

  void refuse_label_as_time() const {
    if (label_.column == nullptr) return;
    if (label_.column->name == keys_.key)
      questions_.fail(fmt::format("label must be a column of its own ({} is the key)", keys_.key));
    if (label_.column == times_.event || label_.column == times_.feedback || label_.column == times_.due ||
        is_listed(keys_.ignore, label_.column->name))
      questions_.fail(fmt::format("label must be a column of its own ({} is a time, or ignored)", label_.column->name));
    if (label_.column->empty())
      questions_.fail(fmt::format("{} must be given in some row: it is the label", label_.column->name));
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
    const bool all_known = times_.feedback->given == profile_.rows;
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
    const ColumnProfile known = known_labels();
    if (known.empty())
      questions_.fail(
          fmt::format("{} must be given in some row that has {}: it is the label", known.name, times_.feedback->name));
    const auto& values = known.values;
    if (!keys_.positive && !known.numbers() && (values.size() == 1 || values.size() == ColumnProfile::kValues))
      refuse_words(known);
    LabelKind kind = keys_.positive ? LabelKind{keys_.usual.two_classes, keys_.positive}
                                    : kind_of_labels(values, known.numbers(), keys_.usual);
    found_.loss = std::move(kind.loss);
    options.positive = std::move(kind.positive);
    options.classes = std::move(kind.classes);
  }

  [[noreturn]] void refuse_words(const ColumnProfile& label) const {
    const auto& values = label.values;
    if (label.mostly_numbers())
      questions_.fail(label.not_number.line, fmt::format("{} must be a number, as in the other rows ({} came)",
                                                         label.name, quoted(label.not_number.text)));
    questions_.fail(
        fmt::format("{} has {} ({}…): predictions are of 2 to {} classes, or of numbers; positive = {} makes it that "
                    "word against all others, label = \"…\" names another column",
                    label.name, values.size() == 1 ? "one word only" : "too many words",
                    fmt::join(values.begin(), values.begin() + std::min<long>(3, std::ssize(values)), ", "),
                    ColumnProfile::kValues - 1, quoted(values.front())));
  }

  // ---- features

  void find_features() {
    const LeftOut left_out(profile_, keys_, times_, order_);
    const Columns roles = time_columns();
    CsvOptions& options = found_.options;
    std::vector<std::string> ignored, odd;
    for (const ColumnProfile& column : profile_.columns) {
      if (&column == label_.column || std::find(roles.begin(), roles.end(), &column) != roles.end()) continue;
      if (const std::string why = left_out.why(column); !why.empty())
        ignored.push_back(fmt::format("{} ({})", column.name.empty() ? "\"\"" : column.name, why));
      else if (column.numbers() && !stands_for_words(column))
        options.features.push_back(column.name);
      else
        options.categorical.push_back(column.name);
      if (!column.numbers() && column.mostly_numbers() && column.number_cells >= 20)
        odd.push_back(fmt::format("{} is taken for words, since line {} has {}", column.name, column.not_number.line,
                                  quoted(column.not_number.text)));
    }
    if (options.features.empty() && options.categorical.empty())
      questions_.fail(fmt::format("no column is left to predict from{}",
                                  ignored.empty() ? "" : fmt::format("; ignored: {}", listed(ignored))));
    describe(ignored);
    for (std::string& line : odd) found_.read_as.push_back(std::move(line));
  }

  // Ids that repeat, such as those of customers, are names and no sizes.
  bool stands_for_words(const ColumnProfile& column) const {
    return is_listed(keys_.categorical, column.name) ||
           (is_id_name(column.name) && !is_listed(keys_.include, column.name));
  }

  void describe(const std::vector<std::string>& ignored) {
    const CsvOptions& options = found_.options;
    const std::string positive =
        options.positive ? fmt::format(", {} is +1", quoted(*options.positive)) : std::string();
    const std::string classes = options.classes.empty() ? "" : fmt::format(" over {} classes", options.classes.size());
    const std::string due = times_.due != nullptr ? ", due " + times_.due->name : std::string();
    found_.read_as.push_back(fmt::format("event time {}, feedback time {}{}; label {}; loss {}{}{}", times_.event->name,
                                         times_.feedback->name, due, label_text_, found_.loss, classes, positive));
    const auto list = [](const char* what, const std::vector<std::string>& names) {
      return what + (names.empty() ? std::string("none") : listed(names));
    };
    found_.read_as.push_back(list("numbers: ", options.features) + "; " + list("words: ", options.categorical) + "; " +
                             list("ignored: ", ignored));
  }

  Questions questions_;
  const CsvProfile& profile_;
  const LateLabelsKeys keys_;
  const ProfileWhereGiven& where_given_;
  FoundTimes times_;
  FoundLabel label_;
  DateOrder order_ = DateOrder::kNone;
  std::string label_text_;  // for people
  LateLabels found_;
};

}  // namespace

LateLabels infer_late_labels(const std::string& file, const CsvProfile& profile, const LateLabelsKeys& keys,
                             const ProfileWhereGiven& where_given) {
  return Inference(file, profile, keys, where_given).infer();
}

}  // namespace tarry::data
