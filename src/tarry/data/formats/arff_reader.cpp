#include "tarry/data/formats/arff_reader.h"

#include <fmt/format.h>

#include <unordered_map>

#include "tarry/data/formats/arff_header.h"
#include "tarry/data/formats/dataset_builder.h"

namespace tarry::data {
namespace {

class ArffReader {
 public:
  ArffReader(TextLines& lines, const ArffOptions& options) : options_(options), lines_(lines) {}

  Dataset read() {
    attributes_ = read_arff_header(lines_);
    find_attributes();
    for (std::string_view line; next_arff_line(lines_, line); ++events_) read_event(line, lines_.place());
    if (answers_.empty()) lines_.fail_whole("has no query (a line whose label is ?)");
    Dataset data = builder_.take(dimension_);
    if (options_.over_classes) data.classes = attributes_[label_].words;
    for (std::size_t row = 0; row < answers_.size(); ++row) {
      data.labels[row] = answers_[row].label;
      data.feedback_time[row] = answers_[row].time;
    }
    return data;
  }

 private:
  struct Feature {
    std::size_t attribute;
    Index slot;  // its first
    double divisor;
  };
  struct Answer {
    double label = kUnknownLabel;
    double time = kNeverKnown;
    std::size_t query_line = 0;
  };

  std::size_t find(const std::string& name) const {
    for (std::size_t i = 0; i < attributes_.size(); ++i)
      if (attributes_[i].name == name) return i;
    std::vector<std::string> names;
    for (const ArffAttribute& attribute : attributes_) names.push_back(attribute.name);
    lines_.fail_whole(fmt::format("no attribute {} (attributes: {})", spec::brief({name}), fmt::join(names, ", ")));
  }

  void find_attributes() {
    label_ = find(options_.label);
    id_ = find(options_.id);
    if (!options_.time.empty()) time_ = find(options_.time);
    check_label_attribute(attributes_[label_]);
    for (const auto& [name, divisor] : options_.divide)
      if (const std::size_t i = find(name); !is_feature(i) || !attributes_[i].numeric)
        lines_.fail_whole(fmt::format("divide must name numeric features, which {} is not", name));
    for (std::size_t i = 0; i < attributes_.size(); ++i) {
      if (!is_feature(i)) continue;
      const ArffAttribute& attribute = attributes_[i];
      if (!attribute.nominal && !attribute.numeric)
        lines_.fail_whole(
            fmt::format("attribute {} is neither numeric nor nominal: it cannot be a feature", attribute.name));
      const auto divisor = options_.divide.find(attribute.name);
      features_.push_back({i, dimension_, divisor == options_.divide.end() ? 1 : divisor->second});
      dimension_ += attribute.nominal ? static_cast<Index>(attribute.words.size()) : 1;
    }
    if (options_.intercept) ++dimension_;
    if (dimension_ == 0) lines_.fail_whole("has no features");
  }

  void check_label_attribute(const ArffAttribute& attribute) const {
    if (options_.over_classes && attribute.nominal && !options_.positive) return;
    if (attribute.nominal != options_.positive.has_value())
      lines_.fail_whole(fmt::format("{} is {}: positive {} (wanted the word whose label is +1)", attribute.name,
                                    attribute.nominal ? "nominal" : "not nominal",
                                    attribute.nominal ? "is missing" : "has no meaning"));
    if (attribute.nominal && !attribute.place.contains(*options_.positive))
      lines_.fail_whole(fmt::format("positive must be one of {{{}}} ({} came)", fmt::join(attribute.words, ","),
                                    spec::brief({*options_.positive})));
  }

  bool is_feature(std::size_t i) const { return i != label_ && i != id_ && !(time_ && i == *time_); }

  void read_event(std::string_view line, const Place& place) {
    if (line[0] == '{') place.fail("rows of index and value are not supported");
    split_arff_cells(line, place, cells_);
    if (cells_.size() != attributes_.size())
      place.fail(fmt::format("has {} cells, but {} attributes were declared", cells_.size(), attributes_.size()));
    if (time_) check_time(place);
    if (cells_[label_] == "?")
      read_query(place);
    else
      read_answer(place);
  }

  void check_time(const Place& place) {
    const double time = place.number(options_.time, cells_[*time_]);
    if (time < last_time_)
      place.fail(fmt::format("{} must not go backwards ({} after {})", options_.time, time, last_time_));
    last_time_ = time;
  }

  void read_query(const Place& place) {
    const auto [query, is_new] = row_of_.emplace(cells_[id_], answers_.size());
    if (!is_new)
      place.fail(fmt::format("a second query for {} {}, after line {}", options_.id, cells_[id_],
                             answers_[query->second].query_line));
    for (const Feature& feature : features_) {
      const ArffAttribute& attribute = attributes_[feature.attribute];
      const std::string& cell = cells_[feature.attribute];
      const double value = attribute.nominal ? 1 : place.number(attribute.name, cell, feature.divisor);
      builder_.add(feature.slot + (attribute.nominal ? word_place(attribute, cell, place) : 0), value);
      if (!options_.names) continue;
      builder_.add_named(attribute.name, attribute.nominal ? FeatureValue(cell) : FeatureValue(value));
    }
    if (options_.intercept) builder_.add(dimension_ - 1, 1);
    builder_.end_row(kUnknownLabel, static_cast<double>(events_), kNeverKnown);
    answers_.push_back({kUnknownLabel, kNeverKnown, place.line});
  }

  void read_answer(const Place& place) {
    const auto query = row_of_.find(cells_[id_]);
    if (query == row_of_.end()) place.fail(fmt::format("a label for {} {} without a query", options_.id, cells_[id_]));
    Answer& answer = answers_[query->second];
    if (answer.time != kNeverKnown) place.fail(fmt::format("a second label for {} {}", options_.id, cells_[id_]));
    const ArffAttribute& attribute = attributes_[label_];
    const std::string& cell = cells_[label_];
    double label = 0;
    if (attribute.nominal && options_.over_classes)
      label = static_cast<double>(word_place(attribute, cell, place));
    else if (attribute.nominal)
      label = word_place(attribute, cell, place) == attribute.place.at(*options_.positive) ? 1 : -1;
    else
      label = place.number(attribute.name, cell);
    answer.label = checked_label(options_.as_label, label, place);
    answer.time = static_cast<double>(events_);
  }

  static Index word_place(const ArffAttribute& attribute, const std::string& cell, const Place& place) {
    const auto found = attribute.place.find(cell);
    if (found == attribute.place.end()) place.fail_cell(attribute.name, "one of its declared words", cell);
    return found->second;
  }

  const ArffOptions& options_;
  TextLines& lines_;
  std::vector<ArffAttribute> attributes_;
  std::size_t label_ = 0, id_ = 0;
  std::optional<std::size_t> time_;
  std::vector<Feature> features_;
  Index dimension_ = 0;

  std::size_t events_ = 0;
  double last_time_ = -kNeverKnown;
  std::vector<std::string> cells_;
  std::unordered_map<std::string, std::size_t> row_of_;  // by id
  std::vector<Answer> answers_;                          // by row
  DatasetBuilder builder_;
};

}  // namespace

ArffOptions arff_options(const spec::Node& node) {
  ArffOptions options;
  options.label = node.text("label");
  options.id = node.text("id");
  options.time = node.text_or("time", "");
  if (node.has("positive")) options.positive = node.text("positive");
  options.divide = divisors_or_none(node);
  options.intercept = flag_or(node, "intercept", true);
  options.names = flag_or(node, "names", false);
  return options;
}

Dataset read_arff(TextLines& lines, const ArffOptions& options) { return ArffReader(lines, options).read(); }

}  // namespace tarry::data
