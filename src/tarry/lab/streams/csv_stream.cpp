// Where columns are found: one pass over the file to find them, one to read them; between them, one over the labels
// where rows without a feedback time have some.
#include "tarry/lab/streams/csv_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tarry/data/infer/look_at_table.h"
#include "tarry/data/text/duration.h"
#include "tarry/lab/streams/data_stream.h"
#include "tarry/lab/streams/how_late.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

constexpr const char* kName = "csv";
constexpr const char* kOnce =
    "late_labels";  // its name, once, where columns are found: `categorical` adds to them there

// expiry = { days = 30, label = "unpaid" }
DefaultLabel default_label(const Node& node) {
  DefaultLabel label{86400 * node.positive("days")};
  const Node given = node.at("label");
  label.label = given.is_text() ? given.text() : spec::to_json(given.value());
  node.refuse_unknown_keys();
  return label;
}

// What a specification says. Every key is read, and unknown ones refused, before the file is opened.
struct Said {
  std::string path;
  bool found = false;  // the columns are; then what is said of them is believed all the same
  CsvOptions options;
  std::optional<NamedLoss> loss;
  std::vector<std::string> ignore, include;
  std::string feedback;  // instead of a column of times: "none", "3 days"
  std::optional<DefaultLabel> expiry;
  std::optional<std::string> blank;
};

// What goes with one of the two ways alone.
void refuse_misplaced(const Node& node, bool found) {
  static constexpr const char* kOfSaid[] = {"divide", "label_divide", "classes", "sort", "missing"};
  static constexpr const char* kOfFound[] = {"ignore", "include", "feedback", "expiry", "blank"};
  for (const char* key : found ? std::span<const char* const>(kOfSaid) : kOfFound)
    if (node.has(key))
      node.fail_whole(found ? fmt::format("{} needs features, an array of columns: here they are found", key)
                            : fmt::format("{} is for columns that are found, not for those of features", key));
}

Said said_in(const Node& node) {
  Said said;
  said.path = node.text("path");
  said.found = finds_columns(node);
  said.options = csv_options(node, said.found);
  if (const auto loss = node.find("loss")) said.loss = named_loss(*loss);
  said.ignore = names_or_none(node, "ignore");
  said.include = names_or_none(node, "include");
  said.feedback = node.text_or("feedback", "");
  if (const auto expiry = node.find("expiry")) said.expiry = default_label(*expiry);
  if (node.has("blank")) said.blank = node.text("blank");
  node.refuse_unknown_keys();
  refuse_misplaced(node, said.found);
  if (double seconds = 0; !said.feedback.empty() && said.feedback != "none" && !read_duration(said.feedback, seconds))
    node.at("feedback").fail("\"none\" or a time such as \"3 days\"");
  if (!said.feedback.empty() && !said.options.feedback_time.empty())
    node.fail_whole("give feedback or feedback_time, not both");
  if (said.found && said.loss) node.text("loss");
  if (!said.found && !said.loss) node.at("loss", "a loss, or its name");
  if (!said.options.classes.empty() && said.options.classes.size() != said.loss->loss.outputs())
    node.at("classes").fail("as many names as a softmax loss has classes");
  return said;
}

OpenLines opened(const Node& node, const std::string& path, const OpenLines& open) {
  if (open) return open;
  if (std::error_code failed; std::filesystem::exists(path, failed) && !std::filesystem::is_directory(path, failed) &&
                              !std::filesystem::is_regular_file(path, failed))
    node.at("path").fail("a file, not a pipe: it is read more than once");
  return [path] { return TextLines(path); };
}

LateLabels look(const Node& node, const Said& said, const OpenLines& open) {
  const auto& [path, found, options, loss, ignore, include, feedback, expiry, blank] = said;
  const LateLabelsKeys keys{.event_time = options.event_time,
                            .feedback_time = options.feedback_time,
                            .label = options.label,
                            .loss = loss ? loss->name : "",
                            .feedback = feedback,
                            .expiry = expiry,
                            .blank = blank,
                            .due = options.due,
                            .key = options.key,
                            .positive = options.positive,
                            .categorical = options.categorical,
                            .ignore = ignore,
                            .include = include,
                            .dates = node.text_or("dates", ""),
                            .usual = usual_losses()};
  std::optional<char> separator;
  if (node.has("delimiter")) separator = options.delimiter;
  return look_at_table(path, opened(node, path, open), keys, separator);
}

NamedLoss found_loss(const LateLabels& found) {
  spec::Value named{spec::Object{{"type", spec::Value{found.loss}}}};
  if (const std::size_t classes = found.options.classes.size(); classes > 0)
    std::get<spec::Object>(named.as).push_back({"classes", spec::Value{static_cast<Index>(classes)}});
  return named_loss(Node(named, "loss"));
}

Stream stream_of(const std::string& path, const OpenLines& open, CsvOptions options, const NamedLoss& loss) {
  options.as_label = label_as(loss.loss);
  TextLines lines = open ? open() : TextLines(path);
  return data_stream(read_csv(lines, options), loss, std::filesystem::path(path).filename());
}

}  // namespace

data::LossNames usual_losses() {
  return {usual_loss(Measure::kError), usual_loss(Measure::kMargin), usual_loss(Measure::kClasses)};
}

bool finds_columns(const Node& node) {
  if (stream_entry(node).name != kName) return false;
  const auto features = node.find("features");
  if (!features) return !node.has("categorical") || node.type() == kOnce;
  if (features->is_text() && features->text() != "found") features->fail("an array of columns, or \"found\"");
  return features->is_text();
}

LateLabels looked_at(const Node& node, const OpenLines& open) { return look(node, said_in(node), open); }

Stream read_csv_stream(const Node& node, const LateLabels* looked, const OpenLines& open) {
  const Said said = said_in(node);
  if (!said.found) return stream_of(said.path, open, said.options, *said.loss);
  LateLabels found = looked != nullptr ? *looked : look(node, said, open);
  throw_if_questions(said.path, found);
  CsvOptions& options = found.options;
  options.hash_dimension = said.options.hash_dimension;
  options.intercept = said.options.intercept;
  options.limit = said.options.limit;
  options.names = said.options.names;
  Stream stream = stream_of(said.path, open, options, found_loss(found));
  stream.read_as = std::move(found.read_as);
  const std::vector<std::string>& told = stream.table()->data->told;
  stream.read_as.insert(stream.read_as.end(), told.begin(), told.end());
  for (std::string& line : how_late(*stream.table(), options.positive)) stream.read_as.push_back(std::move(line));
  stream.by_class = class_waits(*stream.table(), options.positive);
  stream.read_table = {.columns = std::move(found.reading.columns),
                       .label = found.reading.label,
                       .positive = options.positive.value_or(""),
                       .waits = wait_counts(*stream.table()),
                       .late = late_class(*stream.table(), options.positive)};
  for (const data::ColumnReading& column : stream.read_table.columns)
    if (column.role == "label") stream.read_table.label_unit = column.unit;
  return stream;
}

StreamEntry csv_entry() {
  return {
      .name = kName,
      .summary =
          "rows of comma-separated text with a header, whose columns are said or found: numbers, then hashed "
          "words, then the intercept",
      .keys = {{"path", "a file, plain or gzip", ""},
               {"features", "an array of columns of numbers, or \"found\": by the names and cells of all columns",
                "\"found\", or none beside categorical"},
               {"categorical",
                "an array of columns of words, hashed by FNV-1a of \"column=word\"; beside \"found\" those of numbers "
                "that stand for words",
                "[]"},
               {"label", "the column to predict; found: or a difference of two times, \"end − start\"",
                "found: by its name, else the last"},
               {"loss", "a loss, or its name",
                "found: logistic for two classes, softmax for more, squared for numbers"},
               {"positive", "a text: the label is +1 where its cell is this, else −1", "found: by its name"},
               {"classes", "an array of texts: the label is the place of its cell among these, from 0", "optional"},
               {"label_divide", "a positive number that the label is divided by", "1"},
               {"divide", "a table: columns and the positive numbers they are divided by", "optional"},
               {"ignore", "found: an array of columns to leave out", "[]"},
               {"include", "found: an array of columns to keep as features that would be left out", "[]"},
               {"event_time", "the column of when the features were known", "found: by its name"},
               {"feedback_time", "the column of when the label was known; empty: never", "found: by its name"},
               {"feedback", "found: \"none\" where labels are known at once, or how long they take: \"3 days\"",
                "feedback_time"},
               {"expiry", "found: { days = 30, label = \"unpaid\" }: the label of rows that have none by then", "none"},
               {"blank", "found: a text: the label of rows in which it is not given, though its time is", "none"},
               {"due", "the column of when the label is due, or expected, as known at event_time; empty: not known",
                "none"},
               {"key", "the column of a key: rows that share it are one round whose label was corrected", "none"},
               {"dates", "\"day/month/year\" or \"month/day/year\", for dates such as 01/02/2024",
                "found: by their days"},
               {"hash_dimension", "how many slots the words share", "4096"},
               {"intercept", "whether one more feature, the last, is the constant 1", "true"},
               {"names", "whether to keep rows by name, for learners that are tasks", "as learners need"},
               {"sort", "whether to sort by event_time; otherwise the file must be in order", "false; found: true"},
               {"missing", "\"error\"; \"zero\" to read empty features as 0; \"absent\" to leave them out",
                "error; found: absent"},
               {"delimiter", "one character", ",; found: by the header"},
               {"limit", "how many rows to play at most", "optional"}},
      .make = [](const Node& node, Round, std::uint64_t) { return read_csv_stream(node); },
      .seeded = false,
      .examples =
          {R"({"type": "csv", "path": "my.csv"})",
           R"({"type": "csv", "path": "my.csv", "features": "found", "label": "minutes", "ignore": ["id"]})",
           R"({"type": "csv", "path": "flights.csv.gz", "label": "ArrDelay", "label_divide": 60, )"
           R"("loss": "squared", "features": ["DepDelay", "TaxiOut"], "divide": {"DepDelay": 60, "TaxiOut": 60}, )"
           R"("categorical": ["UniqueCarrier", "Dest"], "hash_dimension": 256, )"
           R"("event_time": "t_depart_min", "feedback_time": "t_feedback_min"})",
           R"({"type": "csv", "path": "elec.csv", "label": "class", "positive": "1", "loss": "logistic", )"
           R"("features": ["nswprice", "nswdemand"]})"},
      .also = {kOnce},
  };
}

}  // namespace tarry::lab
