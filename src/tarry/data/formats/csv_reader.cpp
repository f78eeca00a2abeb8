#include "tarry/data/formats/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tarry/data/formats/csv_features.h"
#include "tarry/data/formats/csv_times.h"
#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/formats/same_keys.h"
#include "tarry/data/text/table_records.h"

namespace tarry::data {
namespace {

class CsvReader {
 public:
  CsvReader(TextLines& lines, const CsvOptions& options)
      : options_(options),
        lines_(lines),
        shape_(options.shape.tidy ? options.shape : TableShape{.delimiter = options.delimiter}),
        records_(lines, shape_) {}

  Dataset read() {
    if (!records_.next(cells_)) lines_.fail_whole("is empty (wanted a header line)");
    find_columns(CsvHeader(cells_, records_.place()));
    const bool stop_early = options_.limit > 0 && !options_.sort;
    while (!(stop_early && builder_.rows() == options_.limit) && records_.next(cells_)) {
      read_row(records_.place());
      if (!stop_early) builder_.expect(lines_.share());
    }
    if (builder_.rows() == 0) lines_.fail_whole("has no rows after its header");
    if (options_.positive && !positive_seen_)
      lines_.fail_whole(
          fmt::format("no row has the {} {} that positive names", options_.label, spec::brief({*options_.positive})));
    Dataset data = builder_.take(features_->dimension());
    data.classes = options_.classes;
    data.time_unit = times_->has_feedback() ? options_.time_unit : 0;
    data.without_time = without_time_;
    data.due_time = std::move(due_times_);
    data.told = times_->told();
    if (options_.missing == Missing::kAbsent) data.numbers = features_->words_begin();
    if (options_.sort) data = sorted(std::move(data));
    if (key_) data = corrected(std::move(data));
    return data;
  }

 private:
  void find_columns(const CsvHeader& header) {
    columns_ = header.size();
    label_ = header.column(options_.label);
    features_.emplace(options_, header, builder_);
    if (!options_.label_minus.empty()) label_minus_ = header.column(options_.label_minus);
    times_.emplace(options_, header);
    if (!options_.key.empty()) key_ = header.column(options_.key);
    const auto style = options_.styles.find(options_.label);
    if (style != options_.styles.end()) label_style_ = &style->second;
  }

  void read_row(const Place& place) {
    refuse_width(cells_.size(), columns_, place);
    auto [event, feedback] = times_->read(cells_, place);
    features_->read(cells_, event, place);
    std::string_view label_cell = options_.label_given ? "yes" : label_in_row();
    if (options_.expiry && feedback == kNeverKnown && (label_is_empty() || label_cell == options_.expiry->label)) {
      feedback = event.seconds + options_.expiry->seconds / options_.time_unit;
      label_cell = options_.expiry->label;
    } else if (options_.lenient && label_is_empty()) {
      feedback = kNeverKnown;
    }
    const double label = read_label(label_cell, feedback, place);
    if (times_->has_feedback())
      builder_.end_row(label, event.seconds, feedback);
    else
      builder_.end_row(label);
    if (times_->has_event() && !times_->has_feedback()) event_only_.push_back(event.seconds);
    if (times_->has_due()) due_times_.push_back(times_->read_due(cells_, place));
    if (key_) keys_.emplace_back(options_.is_empty(cells_[*key_]) ? std::string_view() : trimmed(cells_[*key_]));
  }

  // One spelling is used for all; what is not given may have a meaning.
  std::string_view label_in_row() const {
    const std::string_view cell = cells_[label_];
    if (options_.blank && options_.is_empty(cell)) return *options_.blank;
    if (options_.spellings.empty()) return cell;
    const auto found = options_.spellings.find(std::string(cell));
    return found == options_.spellings.end() ? cell : std::string_view(found->second);
  }

  bool label_is_empty() const {
    double number = 0;
    if (options_.blank) return false;
    if (std::find(options_.no_labels.begin(), options_.no_labels.end(), cells_[label_]) != options_.no_labels.end())
      return true;
    return options_.is_empty(cells_[label_]) || (label_minus_ && options_.is_empty(cells_[*label_minus_])) ||
           (label_style_ != nullptr && !read_styled(cells_[label_], *label_style_, number));
  }

  // A label without a time at which it was known may be a word for its absence, such as "open".
  double read_label(std::string_view cell, double feedback, const Place& place) {
    const bool never_known = feedback == kNeverKnown;
    if (never_known && options_.lenient) {
      without_time_ += label_is_empty() ? 0 : 1;
      return kUnknownLabel;
    }
    if (label_minus_) return read_difference(feedback, place);
    if (options_.is_empty(cell)) {
      if (never_known) return kUnknownLabel;
      if (options_.positive) place.fail_cell(options_.label, "given", cell);
    }
    if (!options_.classes.empty()) {
      const auto found = std::find(options_.classes.begin(), options_.classes.end(), cell);
      if (found == options_.classes.end()) place.fail_cell(options_.label, "one of the classes", cell);
      return checked_label(options_.as_label, static_cast<double>(found - options_.classes.begin()), place);
    }
    if (double number = 0; label_style_ != nullptr && read_styled(cell, *label_style_, number))
      return checked_label(options_.as_label, number / options_.label_divide, place);
    if (!options_.positive) return known_label(cell, place);
    const bool positive = cell == *options_.positive;
    positive_seen_ = positive_seen_ || positive;
    return checked_label(options_.as_label, positive ? 1 : -1, place);
  }

  // The first few different cells are read once: most tables have two classes.
  double known_label(std::string_view cell, const Place& place) {
    for (const auto& [text, label] : labels_)
      if (text == cell) return label;
    const double label = cell_label(options_.as_label, options_.label, cell, options_.label_divide, place);
    if (labels_.size() < kLabels) labels_.emplace_back(cell, label);
    return label;
  }

  double read_difference(double feedback, const Place& place) const {
    const double later = times_->read_cell(options_.label, cells_[label_], place).seconds;
    const double earlier = times_->read_cell(options_.label_minus, cells_[*label_minus_], place).seconds;
    if (times_->has_feedback() && std::max(later, earlier) > feedback)
      place.fail(fmt::format("the label {} − {} is not known yet at {} ({})", options_.label, options_.label_minus,
                             options_.feedback_time, times_->feedback_cell(cells_)));
    return checked_label(options_.as_label, (later - earlier) / options_.label_divide, place);
  }

  // Rows of one time stay in the order of the file.
  Dataset sorted(Dataset data) const {
    const Vec& times = times_->has_feedback() ? data.event_time : event_only_;
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
  TableShape shape_;
  TableRecords records_;
  Cells cells_;
  std::size_t columns_ = 0, label_ = 0;
  std::optional<std::size_t> label_minus_, key_;
  static constexpr std::size_t kLabels = 4;
  std::vector<std::pair<std::string, double>> labels_;
  const NumberStyle* label_style_ = nullptr;  // null: a label is read as it is
  std::size_t without_time_ = 0;
  bool positive_seen_ = false;
  Vec event_only_;  // the times to sort by where the data set has none
  Vec due_times_;
  std::vector<std::string> keys_;  // by row of the file
  DatasetBuilder builder_;
  std::optional<CsvFeatures> features_;
  std::optional<CsvTimes> times_;
};

}  // namespace

void refuse_width(std::size_t cells, std::size_t header, const Place& place) {
  if (cells != header) place.fail(fmt::format("has {} cells, but the header has {}", cells, header));
}

Dataset read_csv(TextLines& lines, const CsvOptions& options) { return CsvReader(lines, options).read(); }

}  // namespace tarry::data
