#include "tarry/lab/routing/roads.h"

#include <fmt/format.h>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry::lab {
namespace {

Graph split(const RoadNetwork& network) {
  Graph graph{network.nodes + network.first_thru, {}};
  for (const RoadLink& link : network.links)
    graph.edges.push_back({link.from, link.to < network.first_thru ? network.nodes + link.to : link.to});
  check_graph("roads", graph);
  return graph;
}

double power_of(double x, double power) {
  if (power == 4) return x * x * (x * x);  // as nearly all links have it
  return power == 1 ? x : tarry::pow(x, power);
}

}  // namespace

Roads::Roads(RoadNetwork network, const CostWeights& weights)
    : network_(std::move(network)),
      graph_(split(network_)),
      out_(graph_, Incidence::kOut),
      in_(graph_, Incidence::kIn) {
  for (const RoadLink& link : network_.links)
    constant_.push_back(weights.toll * link.toll + weights.length * link.length);
}

double Roads::time(std::size_t e, double flow) const {
  const RoadLink& link = network_.links[e];
  return constant_[e] + link.free_flow_time * (1 + link.b * power_of(flow / link.capacity, link.power));
}

double Roads::slope(std::size_t e, double flow) const {
  const RoadLink& link = network_.links[e];
  if (link.power == 0 || link.b == 0) return 0;
  return link.free_flow_time * link.b * link.power / link.capacity * power_of(flow / link.capacity, link.power - 1);
}

double Roads::integral(std::size_t e, double flow) const {
  const RoadLink& link = network_.links[e];
  const double full = power_of(flow / link.capacity, link.power);
  return constant_[e] * flow + link.free_flow_time * flow * (1 + link.b * full / (link.power + 1));
}

double Roads::beckmann(std::span<const double> flow) const {
  double sum = 0;
  for (std::size_t e = 0; e < size(); ++e) sum += integral(e, flow[e]);
  return sum;
}

void Roads::times(std::span<const double> flow, std::span<double> time) const {
  for (std::size_t e = 0; e < size(); ++e) time[e] = this->time(e, flow[e]);
}

// Times 10x, 50 + x and 10 + x. The BPR function has no 10x; a free-flow time of 10^-8 comes close.
RoadNetwork braess_network() {
  const auto link = [](Index from, Index to, double free, double per_vehicle) {
    return RoadLink{.from = from, .to = to, .capacity = 1, .free_flow_time = free, .b = per_vehicle / free};
  };
  return {
      .nodes = 4,
      .zones = 2,
      .first_thru = 0,
      .links = {link(0, 2, 1e-8, 10), link(0, 3, 50, 1), link(2, 3, 10, 1), link(2, 1, 50, 1), link(3, 1, 1e-8, 10)},
      .places = {{0, 1}, {4, 1}, {2, 2}, {2, 0}}};
}

std::vector<Trip> braess_trips() { return {{0, 1, 6}}; }

}  // namespace tarry::lab
