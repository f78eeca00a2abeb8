#include "tarry/data/formats/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/formats/feature_hash.h"
#include "tarry/data/formats/same_keys.h"
#include "tarry/data/text/csv_records.h"

namespace tarry::data {
namespace {

using Cells = std::vector<std::string_view>;

// Where the columns that are asked for stand in the file.
class Header {
 public:
  Header(const Cells& cells, const Place& place) : names_(cells.begin(), cells.end()), place_(place) {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (!places_.emplace(names_[i], i).second)
        place.fail(fmt::format("column {} comes twice", spec::brief({names_[i]})));
  }

  std::size_t size() const { return names_.size(); }
  std::size_t column(const std::string& name) const {
    const auto found = places_.find(name);
    if (found == places_.end())
      place_.fail(fmt::format("no column {} (columns: {})", spec::brief({name}), fmt::join(names_, ", ")));
    return found->second;
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;
  Place place_;
};

class CsvReader {
 public:
  CsvReader(TextLines& lines, const CsvOptions& options)
      : options_(options), lines_(lines), records_(lines, options.delimiter) {}

  Dataset read() {
    if (!records_.next(cells_)) lines_.fail_whole("is empty (wanted a header line)");
    find_columns(Header(cells_, records_.place()));
    const bool stop_early = options_.limit > 0 && !options_.sort;
    while (!(stop_early && builder_.rows() == options_.limit) && records_.next(cells_)) read_row(records_.place());
    if (builder_.rows() == 0) lines_.fail_whole("has no rows after its header");
    if (options_.positive && !positive_seen_)
      lines_.fail_whole(
          fmt::format("no row has the {} {} that positive names", options_.label, spec::brief({*options_.positive})));
    Dataset data = builder_.take(dimension());
    data.classes = options_.classes;
    data.time_unit = feedback_ ? options_.time_unit : 0;
    data.without_time = without_time_;
    data.due_time = std::move(due_times_);
    if (options_.missing == Missing::kAbsent) data.numbers = words_begin();
    if (options_.sort) data = sorted(std::move(data));
    return key_ ? corrected(std::move(data)) : data;
  }

 private:
  struct Numeric {
    std::size_t column;
    double divisor;
    NamedRows::Name name;
  };
  struct Words {
    std::size_t column;
    std::uint64_t hash;  // of "column="
    NamedRows::Name name;
  };

  void find_columns(const Header& header) {
    columns_ = header.size();
    label_ = header.column(options_.label);
    for (const std::string& name : options_.features) {
      const auto divisor = options_.divide.find(name);
      numeric_.push_back({header.column(name), divisor == options_.divide.end() ? 1 : divisor->second, name_of(name)});
    }
    for (const std::string& name : options_.categorical)
      words_.push_back({header.column(name), fnv1a(name + "="), name_of(name)});
    if (options_.names) number_named_rows();
    if (!options_.label_minus.empty()) label_minus_ = header.column(options_.label_minus);
    if (!options_.event_time.empty()) event_ = header.column(options_.event_time);
    if (!options_.feedback_time.empty()) feedback_ = header.column(options_.feedback_time);
    if (!options_.due.empty()) due_ = header.column(options_.due);
    if (!options_.key.empty()) key_ = header.column(options_.key);
  }

  // Rows by name are the only ones that are kept: what they are as numbers follows from them.
  void number_named_rows() {
    NamedRows::Numbering numbering{.place = std::vector<Index>(numeric_.size() + words_.size(), -1),
                                   .hash = std::vector<std::uint64_t>(numeric_.size() + words_.size(), 0),
                                   .words_begin = words_begin(),
                                   .slots = options_.hash_dimension,
                                   .intercept = options_.intercept ? words_end() : -1,
                                   .zeros = options_.missing == Missing::kAbsent};
    for (std::size_t i = 0; i < numeric_.size(); ++i) numbering.place[numeric_[i].name] = static_cast<Index>(i);
    for (const Words& words : words_) numbering.hash[words.name] = words.hash;
    builder_.named().number(std::move(numbering));
  }

  NamedRows::Name name_of(const std::string& column) { return options_.names ? builder_.named().name(column) : 0; }

  Index words_begin() const { return static_cast<Index>(options_.features.size()); }
  Index words_end() const { return words_begin() + (options_.categorical.empty() ? 0 : options_.hash_dimension); }
  Index dimension() const { return words_end() + (options_.intercept ? 1 : 0); }

  void read_row(const Place& place) {
    refuse_width(cells_.size(), columns_, place);
    read_features(place);
    double event = 0, feedback = 0;
    if (event_) event = read_event(place);
    if (feedback_) feedback = read_feedback(event, place);
    if (options_.lenient && label_is_empty()) feedback = kNeverKnown;
    const double label = read_label(feedback, place);
    if (feedback_)
      builder_.end_row(label, event, feedback);
    else
      builder_.end_row(label);
    if (event_ && !feedback_) event_only_.push_back(event);
    if (due_) due_times_.push_back(read_due(place));
    if (key_) keys_.emplace_back(is_empty(cells_[*key_]) ? std::string_view() : trimmed(cells_[*key_]));
  }

  void read_features(const Place& place) {
    const bool absent = options_.missing == Missing::kAbsent;
    for (std::size_t i = 0; i < numeric_.size(); ++i) {
      const auto& [column, divisor, name] = numeric_[i];
      if (is_missing(cells_[column])) {
        if (options_.names) builder_.named().add_missing(name);
        continue;
      }
      const double value = place.number(options_.features[i], cells_[column], divisor);
      if (options_.names)
        builder_.named().add(name, value);
      else if (absent)
        builder_.add_number(static_cast<Index>(i), value);
      else
        builder_.add(static_cast<Index>(i), value);
    }
    const auto slots = static_cast<std::uint64_t>(options_.hash_dimension);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const auto& [column, hash, name] = words_[i];
      const std::string_view cell = cells_[column];
      if (is_missing(cell)) {
        if (options_.names) builder_.named().add_missing(name);
        continue;
      }
      if (cell.empty()) place.fail_cell(options_.categorical[i], "given", cell);
      if (options_.names)
        builder_.named().add(name, cell);
      else
        builder_.add(words_begin() + static_cast<Index>(fnv1a(cell, hash) % slots), 1);
    }
    if (options_.intercept && !options_.names) builder_.add(words_end(), 1);
  }

  bool is_empty(std::string_view cell) const { return options_.lenient ? means_missing(cell) : trimmed(cell).empty(); }
  bool is_missing(std::string_view cell) const { return options_.missing != Missing::kError && is_empty(cell); }
  bool label_is_empty() const { return is_empty(cells_[label_]) || (label_minus_ && is_empty(cells_[*label_minus_])); }

  double read_cell_time(const std::string& column, std::string_view cell, const Place& place) const {
    double time = 0;
    if (read_number(cell, time)) return place.number(column, cell);
    if (read_date(cell, options_.dates, time)) return time;
    WrittenDate date;
    if (options_.dates != DateOrder::kNone && read_written_date(cell, date))
      place.fail_cell(column,
                      options_.dates == DateOrder::kDayFirst ? "a date as day/month/year" : "a date as month/day/year",
                      cell);
    if (read_written_date(cell, date))
      place.fail_cell(column, "as in 2024-03-01T12:30 unless dates = \"day/month/year\" or \"month/day/year\" is given",
                      cell);
    place.fail_cell(column, "a number, or a date and time as in 2024-03-01T12:30", cell);
  }

  double read_event(const Place& place) {
    const double event = read_cell_time(options_.event_time, cells_[*event_], place);
    if (!options_.sort && event < last_event_)
      place.fail(fmt::format("{} must not go backwards ({} after {}); sort = true puts the rows in order",
                             options_.event_time, trimmed(cells_[*event_]), last_event_cell_));
    if (!options_.sort) last_event_cell_ = trimmed(cells_[*event_]);
    return last_event_ = event;
  }

  double read_feedback(double event, const Place& place) const {
    const std::string_view cell = cells_[*feedback_];
    if (is_empty(cell)) return kNeverKnown;
    const double feedback = read_cell_time(options_.feedback_time, cell, place);
    if (feedback < event)
      place.fail(fmt::format("{} must not be before {} ({} before {})", options_.feedback_time, options_.event_time,
                             trimmed(cell), trimmed(cells_[*event_])));
    return feedback;
  }

  double read_due(const Place& place) const {
    const std::string_view cell = cells_[*due_];
    return is_empty(cell) ? kNotDue : read_cell_time(options_.due, cell, place);
  }

  // A label without a time at which it was known may be a word for its absence, such as "open".
  double read_label(double feedback, const Place& place) {
    const std::string_view cell = cells_[label_];
    const bool never_known = feedback == kNeverKnown;
    if (never_known && options_.lenient) {
      without_time_ += label_is_empty() ? 0 : 1;
      return kUnknownLabel;
    }
    if (label_minus_) return read_difference(feedback, place);
    if (is_empty(cell)) {
      if (never_known) return kUnknownLabel;
      if (options_.positive) place.fail_cell(options_.label, "given", cell);
    }
    if (!options_.classes.empty()) {
      const auto found = std::find(options_.classes.begin(), options_.classes.end(), cell);
      if (found == options_.classes.end()) place.fail_cell(options_.label, "one of the classes", cell);
      return checked_label(options_.as_label, static_cast<double>(found - options_.classes.begin()), place);
    }
    if (!options_.positive) return cell_label(options_.as_label, options_.label, cell, options_.label_divide, place);
    const bool positive = cell == *options_.positive;
    positive_seen_ = positive_seen_ || positive;
    return checked_label(options_.as_label, positive ? 1 : -1, place);
  }

  double read_difference(double feedback, const Place& place) const {
    const double later = read_cell_time(options_.label, cells_[label_], place);
    const double earlier = read_cell_time(options_.label_minus, cells_[*label_minus_], place);
    if (feedback_ && std::max(later, earlier) > feedback)
      place.fail(fmt::format("the label {} − {} is not known yet at {} ({})", options_.label, options_.label_minus,
                             options_.feedback_time, trimmed(cells_[*feedback_])));
    return checked_label(options_.as_label, (later - earlier) / options_.label_divide, place);
  }

  // Rows of one time stay in the order of the file.
  Dataset sorted(Dataset data) const {
    const Vec& times = feedback_ ? data.event_time : event_only_;
    const bool whole = options_.limit == 0 || data.rows() <= options_.limit;
    if (whole && std::is_sorted(times.begin(), times.end())) return data;
    std::vector<std::size_t> rows(data.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
    if (options_.limit > 0 && rows.size() > options_.limit) rows.resize(options_.limit);
    Dataset ordered = in_order(data, rows);
    ordered.origin = std::move(rows);
    return ordered;
  }

  // Rows of one key are one round, whose label the later ones correct.
  Dataset corrected(Dataset data) {
    std::vector<std::string> keys;
    for (std::size_t row = 0; row < data.rows(); ++row)
      keys.push_back(std::move(keys_[data.origin.empty() ? row : data.origin[row]]));
    const SameKeys same = same_keys(keys, data.feedback_time);
    if (same.rows.size() == data.rows()) return data;
    Dataset rounds = in_order(data, same.rows);
    for (const std::size_t row : same.rows) rounds.origin.push_back(data.origin.empty() ? row : data.origin[row]);
    for (const auto& [place, row] : same.corrections)
      rounds.corrected.push_back({place, data.feedback_time[row], data.labels[row]});
    return rounds;
  }

  const CsvOptions& options_;
  TextLines& lines_;
  CsvRecords records_;
  Cells cells_;
  std::size_t columns_ = 0, label_ = 0;
  std::vector<Numeric> numeric_;
  std::vector<Words> words_;
  std::optional<std::size_t> event_, feedback_, due_, key_, label_minus_;
  std::size_t without_time_ = 0;
  double last_event_ = -kNeverKnown;
  std::string last_event_cell_;
  bool positive_seen_ = false;
  Vec event_only_;  // the times to sort by where the data set has none
  Vec due_times_;
  std::vector<std::string> keys_;  // by row of the file
  DatasetBuilder builder_;
};

void refuse_contradictions(const CsvOptions& options, const spec::Node& node) {
  if (options.features.empty() && options.categorical.empty()) node.fail_whole("give features or categorical");
  for (const auto& [column, divisor] : options.divide)
    if (std::find(options.features.begin(), options.features.end(), column) == options.features.end())
      node.at("divide").fail(fmt::format("about columns among the features, which {} is not", column));
  for (const auto* columns : {&options.features, &options.categorical})
    if (std::find(columns->begin(), columns->end(), options.label) != columns->end())
      node.at("label").fail("no feature: it is what is predicted");
  if (!options.classes.empty() && (options.positive || node.has("label_divide")))
    node.fail_whole("give classes alone, without positive or label_divide");
  if (options.positive && node.has("label_divide")) node.fail_whole("give positive or label_divide, not both");
  if (options.event_time.empty() && !options.feedback_time.empty()) node.fail_whole("feedback_time needs event_time");
  if (options.feedback_time.empty() && !options.due.empty()) node.fail_whole("due needs event_time and feedback_time");
  if (options.feedback_time.empty() && !options.key.empty()) node.fail_whole("key needs event_time and feedback_time");
  if (options.event_time.empty() && options.sort) node.fail_whole("sort needs event_time");
}

}  // namespace

bool means_missing(std::string_view cell) {
  cell = trimmed(cell);
  static constexpr std::array<std::string_view, 7> kNothing = {"NA", "N/A", "NaN", "nan", "null", "None", "?"};
  if (cell.empty()) return true;
  if (cell.size() > 4 || (cell.front() >= '0' && cell.front() <= '9')) return false;
  return std::find(kNothing.begin(), kNothing.end(), cell) != kNothing.end();
}

void refuse_width(std::size_t cells, std::size_t header, const Place& place) {
  if (cells != header) place.fail(fmt::format("has {} cells, but the header has {}", cells, header));
}

CsvOptions csv_options(const spec::Node& node, bool found) {
  CsvOptions options;
  options.label = found ? node.text_or("label", "") : node.text("label");
  options.label_divide = node.positive_or("label_divide", 1);
  if (node.has("positive")) options.positive = node.text("positive");
  options.classes = names_or_none(node, "classes");
  if (!found) options.features = names_or_none(node, "features");
  options.divide = divisors_or_none(node);
  options.categorical = names_or_none(node, "categorical");
  if (node.has("hash_dimension")) options.hash_dimension = node.count("hash_dimension", 1, spec::kMaxDimension / 2);
  options.intercept = flag_or(node, "intercept", true);
  options.event_time = node.text_or("event_time", "");
  options.feedback_time = node.text_or("feedback_time", "");
  options.due = node.text_or("due", "");
  options.key = node.text_or("key", "");
  options.sort = flag_or(node, "sort", false);
  options.names = flag_or(node, "names", false);
  const std::string missing = node.text_or("missing", "error");
  if (missing != "error" && missing != "zero" && missing != "absent")
    node.at("missing").fail("\"error\", \"zero\" or \"absent\"");
  options.missing = missing == "zero" ? Missing::kZero : missing == "absent" ? Missing::kAbsent : Missing::kError;
  options.dates = date_order_or_none(node);
  options.delimiter = delimiter_or(node, ',');
  options.limit = limit_or_all(node);
  if (!found) refuse_contradictions(options, node);
  return options;
}

Dataset read_csv(TextLines& lines, const CsvOptions& options) { return CsvReader(lines, options).read(); }

}  // namespace tarry::data
