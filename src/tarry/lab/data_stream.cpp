#include "tarry/lab/data_stream.h"

#include <algorithm>
#include <cmath>

#include "tarry/losses/registry.h"

namespace tarry::lab {
namespace {

// sup |slope| over all predictions. Losses are convex: their slopes are steepest far out.
double steepest(const AnyLoss& loss, double label) {
  constexpr double kFar = 1e150;
  return std::max(std::fabs(loss.slope(-kFar, label)), std::fabs(loss.slope(kFar, label)));
}

// max over the rows of sup |slope| · ‖features‖; 0 where it is infinite.
double gradient_bound(const Dataset& data, const AnyLoss& loss) {
  double bound = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (std::isnan(data.labels[row])) continue;  // its gradient never comes
    bound = std::max(bound, steepest(loss, data.labels[row]) * data.features(row).norm());
  }
  return bound <= spec::kLargest ? bound : 0;
}

// Three times the labels' root mean square: with uncorrelated features of mean square 1 the best weights have at most
// once that norm. Of classification, 10: margins beyond it are right or wrong for certain.
double generous_radius(const Dataset& data, const NamedLoss& loss) {
  if (loss.name == "logistic" || loss.name == "hinge") return 10;
  double squares = 0, count = 0;
  for (const double label : data.labels) {
    if (std::isnan(label)) continue;
    squares += label * label;
    count += 1;
  }
  return squares > 0 ? 3 * std::sqrt(squares / count) : 1;
}

}  // namespace

NamedLoss named_loss(const spec::Node& node) {
  AnyLoss loss = make_loss(node);
  return {node.is_text() ? node.text() : node.type(), std::move(loss)};
}

Stream data_stream(Dataset data, const NamedLoss& loss, std::string name) {
  Stream stream;
  stream.name = std::move(name);
  stream.dimension = data.dimension * static_cast<Index>(loss.loss.outputs());
  stream.rounds = data.rows();
  stream.gradient_bound = loss.name == "log_wealth" || loss.loss.outputs() > 1 ? 0 : gradient_bound(data, loss.loss);
  stream.radius = generous_radius(data, loss);
  stream.data = std::make_shared<const Dataset>(std::move(data));
  stream.loss = loss.loss;
  stream.loss_name = loss.name;
  return stream;
}

}  // namespace tarry::lab
