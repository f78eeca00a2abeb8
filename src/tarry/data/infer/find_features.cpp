#include "tarry/data/infer/find_features.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/left_out.h"
#include "tarry/data/text/word_list.h"

namespace tarry::data {

void FeatureFinder::find(LateLabels& found, bool clear) {
  const LeftOut left_out(profile_, keys_, times_, label_.column, order_);
  Reading& reading = found.reading;
  for (const ColumnProfile& column : profile_.columns) {
    ColumnKind kind = kind_of(profile_, column);
    ColumnReading one{column.name, role_of(column), kind.name()};
    if (kind.kind == Kind::kNumber) one.unit = column.style.unit;
    if (one.role == "event_time" || one.role == "feedback_time" || one.role == "due") one.kind = "time";
    if (one.role.empty()) {
      one.why = left_out.why(column, kind.kind);
      one.role = one.why.empty() ? "feature" : "ignored";
      if (kind.kind == Kind::kNumber && stands_for_words(column)) {
        kind.kind = Kind::kWords;
        one.kind = kind.name();
        one.unit.clear();
      }
      if (one.why.empty() && kind.kind == Kind::kWords) say_words(column);
      if (one.why.empty())
        add(found, column, kind);
      else
        ignored_.push_back(fmt::format("{} ({})", column.name.empty() ? "\"\"" : column.name, one.why));
      const bool names_rows = !column.repeats && column.given == profile_.rows && kind.kind != Kind::kTime;
      if (!one.why.empty() && names_rows && reading.key.empty() && !trimmed(column.name).empty())
        reading.key = column.name;
    }
    if ((one.role == "feature" || one.role == "label") && kind.kind == Kind::kNumber) {
      say_numbers(found, column);
    } else if (!column.numbers() && kind.kind != Kind::kNumber && column.mostly_numbers() &&
               column.number_cells >= 20) {
      odd_.push_back(fmt::format("{} is taken for words, since line {} has {}", column.name, column.not_number.line,
                                 quoted(column.not_number.text)));
    }
    if (one.role == "feature" || one.role == "label") one.first = first_of(column, kind);
    reading.columns.push_back(std::move(one));
  }
  reading.rows = profile_.rows;
  reading.header_line = profile_.header_line;
  if (times_.event) reading.event_time = times_.event->name;
  if (times_.feedback) reading.feedback_time = times_.feedback->name;
  if (times_.due) reading.due = times_.due->name;
  if (!keys_.feedback.empty()) reading.feedback = keys_.feedback;
  if (label_.column) reading.label = label_.column->name;
  const CsvOptions& options = found.options;
  if (clear && options.features.empty() && options.categorical.empty() && options.texts.empty() &&
      options.sets.empty() && options.date_features.empty())
    questions_.fail(fmt::format("no column is left to predict from{}",
                                ignored_.empty() ? "" : fmt::format("; ignored: {}", listed(ignored_))));
  if (clear) say(found);
}

// As it is read: a number, a word, or the elements of a list.
spec::Value FeatureFinder::first_of(const ColumnProfile& column, ColumnKind kind) const {
  const std::string& cell = profile_.sample[0][static_cast<std::size_t>(&column - profile_.columns.data())];
  if (means_missing(cell)) return {};
  double number = 0;
  if (kind.kind == Kind::kNumber) return read_styled(cell, column.style, number) ? spec::Value{number} : spec::Value{};
  if (kind.kind != Kind::kText && kind.kind != Kind::kSet) return {cell};
  spec::Array elements;
  for (std::string& one : kind.kind == Kind::kText ? words_of_text(cell) : elements_of(cell, kind.between))
    elements.push_back({std::move(one)});
  return {elements};
}

std::string FeatureFinder::role_of(const ColumnProfile& column) const {
  if (&column == times_.event) return "event_time";
  if (&column == times_.feedback) return "feedback_time";
  if (&column == times_.due) return "due";
  if (&column == label_.column) return "label";
  if (&column == label_.difference.later || &column == label_.difference.earlier) return "label";
  return "";
}

void FeatureFinder::add(LateLabels& found, const ColumnProfile& column, ColumnKind kind) {
  CsvOptions& options = found.options;
  switch (kind.kind) {
    case Kind::kNumber:
      options.features.push_back(column.name);
      if (!column.numbers() || !column.style.plain) options.styles[column.name] = column.style;
      break;
    case Kind::kText:
      options.texts.push_back(column.name);
      break;
    case Kind::kSet:
      options.sets.push_back({column.name, kind.between});
      break;
    case Kind::kTime:
      if (column.compact) options.compact.push_back(column.name);
      options.date_features.push_back({column.name, column.has_time});
      break;
    default:
      options.categorical.push_back(column.name);
  }
}

// Ids that repeat, such as those of customers, are names and no sizes.
bool FeatureFinder::stands_for_words(const ColumnProfile& column) const {
  return is_listed(keys_.categorical, column.name) ||
         (is_id_name(column.name) && !is_listed(keys_.include, column.name));
}

void FeatureFinder::say_numbers(LateLabels& found, const ColumnProfile& column) {
  const NumberStyle& style = column.style;
  if (!style.plain) {
    std::string how = is_money(style.unit) ? "money" : style.length ? "lengths of time" : "numbers";
    if (!style.unit.empty()) how += ", in " + style.unit;
    if (style.decimal == ',') how += ", with a decimal comma";
    if ((style.unit.empty() && style.decimal == '.') || style.length) how += " such as " + column.values.front();
    if (column.limit.line > 0) how += fmt::format(", and {} counts as its limit", quoted(column.limit.text));
    units_.push_back(fmt::format("{}: {}", column.name, how));
  }
  if (column.odd.empty()) return;
  for (const OddCell& cell : column.odd) found.reading.bad_cells.push_back({column.name, cell});
  const std::size_t bad = column.given - column.number_cells;
  odd_.push_back(fmt::format("{}: line {} has {}, which is not a number{}: {} as missing", column.name,
                             column.odd[0].line, quoted(column.odd[0].text),
                             bad > 1 ? fmt::format(", and so have {} more", bad - 1) : "",
                             bad > 1 ? "they count" : "it counts"));
}

void FeatureFinder::say_words(const ColumnProfile& column) {
  if (column.codes && column.nearly_numbers())
    units_.push_back(fmt::format("{}: codes, since some begin with 0", column.name));
  else if (column.units.size() > 1 && 2 * column.number_cells + column.odd.size() > column.given)
    odd_.push_back(
        fmt::format("{} is taken for words, since it has several units: {}", column.name, listed(column.units)));
}

void FeatureFinder::say(LateLabels& found) const {
  const CsvOptions& options = found.options;
  const auto list = [](const char* what, const std::vector<std::string>& names) {
    return what + (names.empty() ? std::string("none") : listed(names));
  };
  std::string more;
  if (!options.texts.empty()) more += list("text, word by word: ", options.texts) + "; ";
  std::vector<std::string> names;
  for (const SetColumn& set : options.sets) names.push_back(set.name);
  if (!names.empty()) more += list("sets: ", names) + "; ";
  names.clear();
  for (const DateColumn& date : options.date_features)
    names.push_back(fmt::format("{0} as {1}{0}.weekday, {0}.month, {0}.days", date.name,
                                date.hour ? date.name + ".hour, " : std::string()));
  if (!names.empty()) more += list("dates: ", names) + "; ";
  found.read_as.push_back(list("numbers: ", options.features) + "; " + list("words: ", options.categorical) + "; " +
                          more + list("ignored: ", ignored_));
  if (order_ != DateOrder::kNone)
    found.read_as.push_back(order_ == DateOrder::kDayFirst ? "dates are day/month/year" : "dates are month/day/year");
  if (!units_.empty()) found.read_as.push_back(fmt::format("{}", fmt::join(units_, "; ")));
  for (const std::string& line : odd_) found.read_as.push_back(line);
}

}  // namespace tarry::data
