// One pass over the file to find what its columns are, one to read them.
#include "tarry/lab/streams/late_labels_stream.h"

#include <algorithm>
#include <filesystem>

#include "tarry/lab/streams/data_stream.h"

namespace tarry::lab {
namespace {

using spec::Node;

// The character of , ; tab | that the header has most of.
char delimiter_in(const std::string& path) {
  TextLines lines(path);
  std::string_view header;
  lines.next(header);
  char best = ',';
  for (const char c : {';', '\t', '|'})
    if (std::count(header.begin(), header.end(), c) > std::count(header.begin(), header.end(), best)) best = c;
  return best;
}

Stream read_late_labels(const Node& node) {
  const std::string path = node.text("path");
  const LateLabelsKeys keys = late_labels_keys(node);
  const std::size_t limit = limit_or_all(node);
  const bool intercept = flag_or(node, "intercept", true), names = flag_or(node, "names", false);
  const Index slots = node.has("hash_dimension") ? node.count("hash_dimension", 1, spec::kMaxDimension / 2) : 4096;
  const bool has_delimiter = node.has("delimiter");
  const char asked_delimiter = delimiter_or(node, ',');
  if (!keys.loss.empty()) named_loss(node.at("loss"));  // refuses what is none, before the file is opened
  node.refuse_unknown_keys();

  if (std::error_code failed; std::filesystem::exists(path, failed) && !std::filesystem::is_directory(path, failed) &&
                              !std::filesystem::is_regular_file(path, failed))
    node.at("path").fail("a file, not a pipe: it is read more than once");
  LateLabels found = found_in(path, keys, has_delimiter ? std::optional(asked_delimiter) : std::nullopt);
  CsvOptions& options = found.options;
  options.hash_dimension = slots;
  options.intercept = intercept;
  options.limit = limit;
  options.names = names;
  spec::Value named{spec::Object{{"type", spec::Value{found.loss}}}};
  if (!options.classes.empty())
    std::get<spec::Object>(named.as).push_back({"classes", spec::Value{static_cast<Index>(options.classes.size())}});
  const NamedLoss loss = named_loss(Node(named, "loss"));
  options.as_label = [loss = loss.loss](double label) { return loss.label(label); };
  TextLines second(path);
  Stream stream = data_stream(read_csv(second, options), loss, std::filesystem::path(path).filename());
  stream.read_as = std::move(found.read_as);
  return stream;
}

}  // namespace

LateLabelsKeys late_labels_keys(const Node& node) {
  LateLabelsKeys keys;
  keys.event_time = node.text_or("event_time", "");
  keys.feedback_time = node.text_or("feedback_time", "");
  keys.label = node.text_or("label", "");
  keys.loss = node.text_or("loss", "");
  if (node.has("positive")) keys.positive = node.text("positive");
  keys.categorical = names_or_none(node, "categorical");
  keys.ignore = names_or_none(node, "ignore");
  return keys;
}

LateLabels found_in(const std::string& path, const LateLabelsKeys& keys, std::optional<char> delimiter) {
  const char separator = delimiter ? *delimiter : delimiter_in(path);
  TextLines lines(path);
  LateLabels found = infer_late_labels(path, profile_csv(lines, separator), keys);
  found.options.delimiter = separator;
  return found;
}

StreamEntry late_labels_entry() {
  return {
      .name = "late_labels",
      .summary = "rows of comma-separated text with an event time and a feedback time; every other key may be left out",
      .keys = {{"path", "a file, plain or gzip", ""},
               {"event_time", "the column of when the features were known", "by its name"},
               {"feedback_time", "the column of when the label was known; empty: never", "by its name"},
               {"label", "the column to predict", "by its name, else the last"},
               {"loss", "the name of a loss", "logistic for two classes, softmax for more, squared for numbers"},
               {"positive", "a text: the label is +1 where its cell is this, else −1", "by its name"},
               {"categorical", "an array of columns of numbers that stand for words", "[]"},
               {"ignore", "an array of columns to leave out", "[]"},
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
