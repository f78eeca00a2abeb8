// Streams of rows that are read from files, except tables (csv_stream.h).
#include <filesystem>

#include "tarry/data/formats/arff_reader.h"
#include "tarry/data/formats/libsvm_reader.h"
#include "tarry/data/formats/relatives_reader.h"
#include "tarry/lab/streams/data_stream.h"
#include "tarry/lab/streams/entries.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

const spec::Key kPath{"path", "a file, plain or gzip", ""};
const spec::Key kLoss{"loss", "a loss, or its name", ""};
const spec::Key kIntercept{"intercept", "whether one more feature, the last, is the constant 1", "true"};
const spec::Key kDivide{"divide", "a table: columns and the positive numbers they are divided by", "optional"};
const spec::Key kNames{"names", "whether to keep rows by name, for learners that are tasks", "as learners need"};
const spec::Key kLimit{"limit", "how many rows to play at most", "optional"};

// Reads `path` with the options that the reader's own function finds in `node`. All keys are read, and unknown ones
// refused, before the file is opened.
template <class Options>
Stream read_stream(const Node& node, Options (*options_of)(const Node&), Dataset (*read)(TextLines&, const Options&)) {
  const std::string path = node.text("path");
  Options options = options_of(node);
  const NamedLoss loss = named_loss(node.at("loss", kLoss.wanted));
  node.refuse_unknown_keys();
  options.as_label = label_as(loss.loss);
  if constexpr (requires { options.over_classes; }) options.over_classes = loss.loss.outputs() > 1;
  TextLines lines(path);
  return data_stream(read(lines, options), loss, std::filesystem::path(path).filename());
}

Stream read_relatives_stream(const Node& node) {
  const std::string path = node.text("path");
  node.refuse_unknown_keys();
  TextLines lines(path);
  const NamedLoss loss = named_loss(usual_loss(Measure::kWealth));
  Stream stream = data_stream(read_relatives(lines), loss, std::filesystem::path(path).filename());
  std::get<Table>(stream.rule).known = Known::kAtFeedback;
  return stream;
}

StreamEntry libsvm_entry() {
  return {
      .name = "libsvm",
      .summary = "rows of LIBSVM's text format: label index:value …",
      .keys = {kPath,
               kLoss,
               {"dimension", "how many features, without the intercept", "the largest index"},
               kIntercept,
               {"shuffle", "the seed of a permutation of the rows", "optional"},
               kLimit},
      .make = [](const Node& node, Round, std::uint64_t) { return read_stream(node, libsvm_options, read_libsvm); },
      .seeded = false,
      .examples = {R"({"type": "libsvm", "path": "a9a", "dimension": 123, "loss": "logistic", "shuffle": 1})"},
  };
}

StreamEntry arff_entry() {
  return {
      .name = "arff_events",
      .summary = "queries and their late labels, one event a line of an ARFF file: label ? is a query",
      .keys =
          {kPath,
           {"label", "the attribute to predict", ""},
           kLoss,
           {"id", "the attribute that joins a label to its query", ""},
           {"time", "an attribute that must not go backwards; the order is that of the file", "optional"},
           {"positive",
            "the word of a nominal label that is +1; others are −1. Not with softmax: its labels are the words' places",
            "optional"},
           kDivide,
           kIntercept,
           kNames},
      .make = [](const Node& node, Round, std::uint64_t) { return read_stream(node, arff_options, read_arff); },
      .seeded = false,
      .examples = {R"({"type": "arff_events", "path": "airlines.arff", "label": "ValueToPredict", )"
                   R"("positive": "delayed", "id": "instanceId", "time": "timeStamp", "loss": "logistic", )"
                   R"("divide": {"Distance": 1000}})"},
  };
}

StreamEntry relatives_entry() {
  return {
      .name = "relatives",
      .summary = "price relatives of a portfolio, one row a day, known after the decision; loss " +
                 usual_loss(Measure::kWealth),
      .keys = {kPath},
      .make = [](const Node& node, Round, std::uint64_t) { return read_relatives_stream(node); },
      .seeded = false,
      .examples = {R"({"type": "relatives", "path": "relatives_nyse_o.csv"})"},
  };
}

}  // namespace

std::vector<StreamEntry> file_stream_entries() { return {libsvm_entry(), arff_entry(), relatives_entry()}; }

}  // namespace tarry::lab
