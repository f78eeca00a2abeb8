#include "tarry/lab/experiment/rival_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tarry/base/error.h"
#include "tarry/lab/streams/csv_stream.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {
namespace {

std::string number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

}  // namespace

std::string rival_rows(const Experiment& experiment) {
  const NamedSpec& spec = experiment.streams.front();
  const spec::Node node(spec.spec, "stream");
  const Stream stream = spec.found ? read_csv_stream(node, spec.found.get()) : make_stream(node, experiment.rounds, 0);
  const Table* table = stream.table();
  if (table == nullptr || table->data->named.empty() || !table->data->has_times())
    throw Error(Code::kBadInput, fmt::format("--beside needs a table with times ({} is not one)", spec.name));
  const Dataset& data = *table->data;
  const Measure measure = measure_of(table->loss_name);
  const bool margins = measure == Measure::kMargin, classes = measure == Measure::kClasses;
  std::string lines = fmt::format("{{\"label\": \"{}\"}}\n", margins ? "two classes" : classes ? "classes" : "number");
  NamedFeatures features;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    data.named.write(row, features);
    double label = data.labels[row];
    if (classes && !std::isnan(label)) label = table->loss.label(label);
    if (margins && !std::isnan(label)) label = label > 0 ? 1 : 0;
    fmt::format_to(std::back_inserter(lines), "{{\"x\": {}, \"y\": {}, \"seen\": {}, \"known\": {}}}\n",
                   to_json(features), number(label), number(data.event_time[row]), number(data.feedback_time[row]));
  }
  return lines;
}

}  // namespace tarry::lab
