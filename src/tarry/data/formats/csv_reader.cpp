#include "tarry/data/formats/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/formats/feature_hash.h"
#include "tarry/data/text/csv_records.h"
#include "tarry/data/text/iso_time.h"

namespace tarry::lab {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

using Cells = std::vector<std::string_view>;

// Where the columns that are asked for stand in the file.
class Header {
 public:
  Header(const Cells& cells, const Place& place) : names_(cells.begin(), cells.end()), place_(place) {
    auto ordered = names_;
    std::sort(ordered.begin(), ordered.end());
    const auto twice = std::adjacent_find(ordered.begin(), ordered.end());
    if (twice != ordered.end()) place.fail(fmt::format("column {} comes twice", spec::brief({*twice})));
  }

  std::size_t size() const { return names_.size(); }
  std::size_t column(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
      place_.fail(fmt::format("no column {} (columns: {})", spec::brief({name}), fmt::join(names_, ", ")));
    return static_cast<std::size_t>(found - names_.begin());
  }

 private:
  std::vector<std::string> names_;
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
    return options_.sort ? sorted(data) : data;
  }

 private:
  struct Numeric {
    std::size_t column;
    double divisor;
  };
  struct Words {
    std::size_t column;
    std::uint64_t hash;  // of "column="
  };

  void find_columns(const Header& header) {
    columns_ = header.size();
    label_ = header.column(options_.label);
    for (const std::string& name : options_.features) {
      const auto divisor = options_.divide.find(name);
      numeric_.push_back({header.column(name), divisor == options_.divide.end() ? 1 : divisor->second});
    }
    for (const std::string& name : options_.categorical) words_.push_back({header.column(name), fnv1a(name + "=")});
    if (!options_.event_time.empty()) event_ = header.column(options_.event_time);
    if (!options_.feedback_time.empty()) feedback_ = header.column(options_.feedback_time);
  }

  Index words_begin() const { return static_cast<Index>(options_.features.size()); }
  Index words_end() const { return words_begin() + (options_.categorical.empty() ? 0 : options_.hash_dimension); }
  Index dimension() const { return words_end() + (options_.intercept ? 1 : 0); }

  void read_row(const Place& place) {
    refuse_width(cells_.size(), columns_, place);
    read_features(place);
    double event = 0, feedback = 0;
    if (event_) event = read_event(place);
    if (feedback_) feedback = read_feedback(event, place);
    if (options_.lenient && is_empty(cells_[label_])) feedback = kNever;
    const double label = read_label(feedback == kNever, place);
    if (feedback_)
      builder_.end_row(label, event, feedback);
    else
      builder_.end_row(label);
    if (event_ && !feedback_) event_only_.push_back(event);
  }

  void read_features(const Place& place) {
    for (std::size_t i = 0; i < numeric_.size(); ++i) {
      const std::string_view cell = cells_[numeric_[i].column];
      if (is_missing(cell)) {
        if (options_.names) builder_.add_named(options_.features[i], std::monostate{});
        continue;
      }
      const double value = place.number(options_.features[i], cell, numeric_[i].divisor);
      builder_.add(static_cast<Index>(i), value);
      if (options_.names) builder_.add_named(options_.features[i], value);
    }
    const auto slots = static_cast<std::uint64_t>(options_.hash_dimension);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string_view cell = cells_[words_[i].column];
      if (is_missing(cell)) {
        if (options_.names) builder_.add_named(options_.categorical[i], std::monostate{});
        continue;
      }
      if (cell.empty()) place.fail_cell(options_.categorical[i], "given", cell);
      builder_.add(words_begin() + static_cast<Index>(fnv1a(cell, words_[i].hash) % slots), 1);
      if (options_.names) builder_.add_named(options_.categorical[i], std::string(cell));
    }
    if (options_.intercept) builder_.add(words_end(), 1);
  }

  bool is_empty(std::string_view cell) const { return options_.lenient ? means_missing(cell) : trimmed(cell).empty(); }
  bool is_missing(std::string_view cell) const { return options_.missing_is_zero && is_empty(cell); }

  static double read_cell_time(const std::string& column, std::string_view cell, const Place& place) {
    double time = 0;
    if (read_iso_time(cell, time)) return time;
    if (!read_number(cell, time)) place.fail_cell(column, "a number, or a date and time as in 2024-03-01T12:30", cell);
    return place.number(column, cell);
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
    if (is_empty(cell)) return kNever;
    const double feedback = read_cell_time(options_.feedback_time, cell, place);
    if (feedback < event)
      place.fail(fmt::format("{} must not be before {} ({} before {})", options_.feedback_time, options_.event_time,
                             trimmed(cell), trimmed(cells_[*event_])));
    return feedback;
  }

  double read_label(bool never_known, const Place& place) {
    const std::string_view cell = cells_[label_];
    if (is_empty(cell)) {
      if (never_known) return kUnknown;
      if (options_.positive) place.fail_cell(options_.label, "given", cell);
    }
    if (!options_.classes.empty()) {
      const auto found = std::find(options_.classes.begin(), options_.classes.end(), cell);
      if (found == options_.classes.end()) place.fail_cell(options_.label, "one of the classes", cell);
      return checked_label(options_.as_label, static_cast<double>(found - options_.classes.begin()), place);
    }
    if (!options_.positive)
      return checked_label(options_.as_label, place.number(options_.label, cell, options_.label_divide), place);
    const bool positive = cell == *options_.positive;
    positive_seen_ = positive_seen_ || positive;
    return checked_label(options_.as_label, positive ? 1 : -1, place);
  }

  // Rows of one time stay in the order of the file.
  Dataset sorted(const Dataset& data) const {
    const Vec& times = feedback_ ? data.event_time : event_only_;
    std::vector<std::size_t> rows(data.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
    if (options_.limit > 0 && rows.size() > options_.limit) rows.resize(options_.limit);
    Dataset ordered = in_order(data, rows);
    ordered.origin = std::move(rows);
    return ordered;
  }

  const CsvOptions& options_;
  TextLines& lines_;
  CsvRecords records_;
  Cells cells_;
  std::size_t columns_ = 0, label_ = 0;
  std::vector<Numeric> numeric_;
  std::vector<Words> words_;
  std::optional<std::size_t> event_, feedback_;
  double last_event_ = -kNever;
  std::string last_event_cell_;
  bool positive_seen_ = false;
  Vec event_only_;  // the times to sort by where the data set has none
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
  if (options.event_time.empty() && options.sort) node.fail_whole("sort needs event_time");
}

}  // namespace

bool means_missing(std::string_view cell) {
  cell = trimmed(cell);
  static constexpr std::array<std::string_view, 8> kNothing = {"", "NA", "N/A", "NaN", "nan", "null", "None", "?"};
  return std::find(kNothing.begin(), kNothing.end(), cell) != kNothing.end();
}

void refuse_width(std::size_t cells, std::size_t header, const Place& place) {
  if (cells != header) place.fail(fmt::format("has {} cells, but the header has {}", cells, header));
}

CsvOptions csv_options(const spec::Node& node) {
  CsvOptions options;
  options.label = node.text("label");
  options.label_divide = node.positive_or("label_divide", 1);
  if (node.has("positive")) options.positive = node.text("positive");
  options.classes = names_or_none(node, "classes");
  options.features = names_or_none(node, "features");
  options.divide = divisors_or_none(node);
  options.categorical = names_or_none(node, "categorical");
  if (node.has("hash_dimension")) options.hash_dimension = node.count("hash_dimension", 1, spec::kMaxDimension / 2);
  options.intercept = flag_or(node, "intercept", true);
  options.event_time = node.text_or("event_time", "");
  options.feedback_time = node.text_or("feedback_time", "");
  options.sort = flag_or(node, "sort", false);
  options.names = flag_or(node, "names", false);
  const std::string missing = node.text_or("missing", "error");
  if (missing != "error" && missing != "zero") node.at("missing").fail("\"error\" or \"zero\"");
  options.missing_is_zero = missing == "zero";
  options.delimiter = delimiter_or(node, ',');
  options.limit = limit_or_all(node);
  refuse_contradictions(options, node);
  return options;
}

Dataset read_csv(TextLines& lines, const CsvOptions& options) { return CsvReader(lines, options).read(); }

}  // namespace tarry::lab
