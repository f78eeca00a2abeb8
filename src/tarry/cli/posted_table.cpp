#include "tarry/cli/posted_table.h"

#include <cmath>

#include "tarry/lab/experiment/table_model.h"
#include "tarry/model/snapshot.h"

namespace tarry::cli {

service::TableRead read_posted_table(std::string_view table, const spec::Value& keys, const std::atomic<bool>& stop) {
  using spec::Object, spec::Value;
  const lab::TableModel made = lab::model_of_table("the table", table, keys, stop);
  service::TableRead read{.reading = data::to_value(made.found.reading, made.found.read_as)};
  if (!made.model) return read;
  read.state = snapshot_bytes(*made.model, made.model->events());
  const auto number = [](double x) { return std::isfinite(x) ? Value{x} : Value{}; };
  Object metrics;
  for (const auto& [name, value] : made.metrics) metrics.push_back({name, number(value)});
  read.figures = {{"rows", Value{static_cast<std::int64_t>(made.rows)}},
                  {"labels", Value{static_cast<std::int64_t>(made.labels)}},
                  {"loss", number(made.loss)},
                  {"metrics", Value{metrics}}};
  return read;
}

}  // namespace tarry::cli
