// One pass over the file to find what its columns are, one to read them; between them, one over the labels where rows
// without a feedback time have some.
#include "tarry/lab/streams/late_labels_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tarry/data/infer/look_at_table.h"
#include "tarry/data/text/duration.h"
#include "tarry/lab/streams/data_stream.h"
#include "tarry/lab/streams/late_class.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

std::string labels(std::size_t count) { return fmt::format("{} label{}", count, count == 1 ? "" : "s"); }

// Nothing in the data can show whether labels are lost by what they are, and nobody can correct it.
constexpr double kMany = 0.05;
constexpr std::size_t kFew = 10;
constexpr const char* kLost =
    "many labels never come: if those of one kind are lost more often, predictions lean to the others, and no learner "
    "can tell";

// "half of the labels came within 7.1 hours, 9 in 10 within 16 days, the last after 21 days; 24 labels never come, …"
std::vector<std::string> how_late(const Stream& stream) {
  const Dataset& data = *stream.data;
  std::size_t never = 0, on_its_way = 0;
  for (const double time : data.feedback_time) {
    never += std::isfinite(time) ? 0 : 1;
    on_its_way += std::isfinite(time) && time >= data.event_time.back() ? 1 : 0;
  }
  std::string line;
  if (stream.waits)
    line = fmt::format("half of the labels came within {}, 9 in 10 within {}, the last after {}; ",
                       spoken_duration(stream.waits->half), spoken_duration(stream.waits->nine_in_ten),
                       spoken_duration(stream.waits->longest));
  line += fmt::format("{} never come{}", labels(never), never == 1 ? "s" : "");
  if (data.without_time > 0) line += fmt::format(" ({} of them given, but without a time)", data.without_time);
  line += fmt::format(", {} still on {} way at the last row", on_its_way, on_its_way == 1 ? "its" : "their");
  std::vector<std::string> lines{std::move(line)};
  if (never >= kFew && static_cast<double>(never) >= kMany * static_cast<double>(data.feedback_time.size()))
    lines.emplace_back(kLost);
  return lines;
}

// expiry = { days = 30, label = "unpaid" }
DefaultLabel default_label(const Node& node) {
  DefaultLabel label{86400 * node.positive("days")};
  const Node given = node.at("label");
  label.label = given.is_text() ? given.text() : spec::to_json(given.value());
  node.refuse_unknown_keys();
  return label;
}

LateLabelsKeys late_labels_keys(const Node& node) {
  LateLabelsKeys keys;
  keys.event_time = node.text_or("event_time", "");
  keys.feedback_time = node.text_or("feedback_time", "");
  keys.due = node.text_or("due", "");
  keys.label = node.text_or("label", "");
  keys.loss = node.text_or("loss", "");
  keys.usual = usual_losses();
  if (node.has("positive")) keys.positive = node.text("positive");
  keys.categorical = names_or_none(node, "categorical");
  keys.ignore = names_or_none(node, "ignore");
  keys.include = names_or_none(node, "include");
  date_order_or_none(node);  // refuses what is none
  keys.dates = node.text_or("dates", "");
  keys.feedback = node.text_or("feedback", "");
  if (double seconds = 0; !keys.feedback.empty() && keys.feedback != "none" && !read_duration(keys.feedback, seconds))
    node.at("feedback").fail("\"none\" or a time such as \"3 days\"");
  if (!keys.feedback.empty() && !keys.feedback_time.empty())
    node.fail_whole("give feedback or feedback_time, not both");
  if (const auto expiry = node.find("expiry")) keys.expiry = default_label(*expiry);
  if (!keys.loss.empty()) named_loss(node.at("loss"));  // refuses what is none, before the file is opened
  return keys;
}

}  // namespace

data::LossNames usual_losses() {
  return {usual_loss(Measure::kError), usual_loss(Measure::kMargin), usual_loss(Measure::kClasses)};
}

LateLabels looked_at(const Node& node) {
  const std::string path = node.text("path");
  const LateLabelsKeys keys = late_labels_keys(node);
  if (std::error_code failed; std::filesystem::exists(path, failed) && !std::filesystem::is_directory(path, failed) &&
                              !std::filesystem::is_regular_file(path, failed))
    node.at("path").fail("a file, not a pipe: it is read more than once");
  std::optional<char> separator;
  if (node.has("delimiter")) separator = delimiter_or(node, ',');
  return look_at_table(
      path, [&] { return TextLines(path); }, keys, separator);
}

LateLabels found_in(const Node& node) {
  LateLabels found = looked_at(node);
  throw_if_questions(node.text("path"), found);
  return found;
}

Stream read_late_labels(const Node& node, const LateLabels* looked) {
  const std::string path = node.text("path");
  late_labels_keys(node);  // all keys are read, and unknown ones refused, before the file is opened
  delimiter_or(node, ',');
  const std::size_t limit = limit_or_all(node);
  const bool intercept = flag_or(node, "intercept", true), names = flag_or(node, "names", false);
  const Index slots = node.has("hash_dimension") ? node.count("hash_dimension", 1, spec::kMaxDimension / 2) : 4096;
  node.refuse_unknown_keys();

  LateLabels found = looked != nullptr ? *looked : found_in(node);
  CsvOptions& options = found.options;
  options.hash_dimension = slots;
  options.intercept = intercept;
  options.limit = limit;
  options.names = names;
  spec::Value named{spec::Object{{"type", spec::Value{found.loss}}}};
  if (!options.classes.empty())
    std::get<spec::Object>(named.as).push_back({"classes", spec::Value{static_cast<Index>(options.classes.size())}});
  const NamedLoss loss = named_loss(Node(named, "loss"));
  options.as_label = label_as(loss.loss);
  TextLines second(path);
  Stream stream = data_stream(read_csv(second, options), loss, std::filesystem::path(path).filename());
  stream.read_as = std::move(found.read_as);
  stream.read_as.insert(stream.read_as.end(), stream.data->told.begin(), stream.data->told.end());
  for (std::string& line : how_late(stream)) stream.read_as.push_back(std::move(line));
  stream.by_class = class_waits(stream, options.positive);
  if (const auto late = late_class(stream)) stream.read_as.push_back(spoken(*late, stream, options.positive));
  return stream;
}

StreamEntry late_labels_entry() {
  return {
      .name = "late_labels",
      .summary = "rows of comma-separated text with an event time and a feedback time; every other key may be left out",
      .keys = {{"path", "a file, plain or gzip", ""},
               {"event_time", "the column of when the features were known", "by its name"},
               {"feedback_time", "the column of when the label was known; empty: never", "by its name"},
               {"feedback", "\"none\" where labels are known at once, or how long they take: \"3 days\"",
                "feedback_time"},
               {"expiry", "{ days = 30, label = \"unpaid\" }: the label of rows that have none by then", "none"},
               {"due", "the column of when the label is due, or expected, as known at event_time; empty: not known",
                "none"},
               {"label", "the column to predict, or a difference of two times: \"end − start\"",
                "by its name, else the last"},
               {"loss", "the name of a loss", "logistic for two classes, softmax for more, squared for numbers"},
               {"positive", "a text: the label is +1 where its cell is this, else −1", "by its name"},
               {"categorical", "an array of columns of numbers that stand for words", "[]"},
               {"ignore", "an array of columns to leave out", "[]"},
               {"include", "an array of columns to keep as features that would be left out", "[]"},
               {"dates", "\"day/month/year\" or \"month/day/year\", for dates such as 01/02/2024", "by their days"},
               {"hash_dimension", "how many slots the words share", "4096"},
               {"intercept", "whether one more feature, the last, is the constant 1", "true"},
               {"names", "whether to keep rows by name too, for learners that are tasks", "as learners need"},
               {"delimiter", "one character", "by the header"},
               {"limit", "how many rows to play at most", "optional"}},
      .make = [](const Node& node, Round, std::uint64_t) { return read_late_labels(node); },
      .seeded = false,
      .examples = {R"({"type": "late_labels", "path": "my.csv"})",
                   R"({"type": "late_labels", "path": "my.csv", "label": "minutes", "ignore": ["id"]})"},
  };
}

}  // namespace tarry::lab
