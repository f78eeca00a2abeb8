#include "tarry/lab/streams/data_stream.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/losses/registry.h"
#include "tarry/model/label_reader.h"

namespace tarry::lab {
namespace {

// sup |slope| over all predictions. Losses are convex: their slopes are steepest far out.
double steepest(const AnyLoss& loss, double label) {
  constexpr double kFar = 1e150;
  if (!loss.defined(-kFar)) return std::numeric_limits<double>::infinity();  // its slopes grow beyond all bounds there
  return std::max(std::fabs(loss.slope(-kFar, label)), std::fabs(loss.slope(kFar, label)));
}

// max over the rows of sup |slope| · ‖features‖; 0 where it is infinite.
double gradient_bound(const Dataset& data, const AnyLoss& loss) {
  double bound = 0;
  Dataset::Made made;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (std::isnan(data.labels[row])) continue;  // its gradient never comes
    bound = std::max(bound, steepest(loss, data.labels[row]) * data.features(row, made).norm());
  }
  return bound <= spec::kLargest ? bound : 0;
}

std::optional<Waits> waits_of(const Dataset& data) {
  if (!data.has_times() || data.time_unit == 0) return std::nullopt;
  Vec waits;
  for (std::size_t row = 0; row < data.rows(); ++row)
    if (std::isfinite(data.feedback_time[row]))
      waits.push_back((data.feedback_time[row] - data.event_time[row]) * data.time_unit);
  if (waits.empty()) return std::nullopt;
  return waits_among(std::move(waits));
}

}  // namespace

Waits waits_among(Vec seconds) {
  const auto at = [&](std::size_t place) {
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(place), seconds.end());
    return seconds[place];
  };
  const std::size_t last = seconds.size() - 1;
  return {at(last / 2), at(last * 9 / 10), at(last)};
}

NamedLoss named_loss(const spec::Node& node) {
  AnyLoss loss = make_loss(node);
  return {node.is_text() ? node.text() : node.type(), std::move(loss), node.value()};
}

NamedLoss named_loss(const std::string& name) {
  const spec::Value value{name};
  return named_loss(spec::Node(value, "loss"));
}

data::AsLabel label_as(const AnyLoss& loss) {
  return [loss](const LabelValue& given) {
    const double label = LabelReader().read(given, loss);
    return loss.outputs() > 1 ? loss.shown(label) : label;
  };
}

Stream data_stream(Dataset data, const NamedLoss& loss, std::string name) {
  Table table{std::make_shared<const Dataset>(std::move(data)), loss.loss, loss.name, loss.spec};
  table.waits = waits_of(*table.data);
  Stream stream;
  stream.name = std::move(name);
  stream.dimension = table.weights();
  stream.rounds = table.data->rows();
  stream.gradient_bound = loss.loss.outputs() > 1 ? 0 : gradient_bound(*table.data, loss.loss);
  stream.rule = std::move(table);
  return stream;
}

}  // namespace tarry::lab
