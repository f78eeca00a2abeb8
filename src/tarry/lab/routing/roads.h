// A road network as a graph, and what its links cost to drive at a flow: the BPR function and its integral.
//
// No trip passes through a node before first_thru. Such a node becomes two here, one that trips leave and one where
// they end, so that every path of the graph is a route, and all pairs of zones share one graph. Edges are the links, in
// their order.
#pragma once

#include "tarry/data/formats/road_network.h"
#include "tarry/sets/combinatorial/graph.h"

namespace tarry::lab {

using data::LinkFlow;
using data::NodePlace;
using data::RoadLink;
using data::RoadNetwork;
using data::Trip;

// What a unit of toll and of length costs in units of time; both are constants of a link.
struct CostWeights {
  double toll = 0;
  double length = 0;
};

class Roads {
 public:
  explicit Roads(RoadNetwork network, const CostWeights& weights = {});

  const RoadNetwork& network() const { return network_; }
  const Graph& graph() const { return graph_; }
  const Incidence& out() const { return out_; }
  const Incidence& in() const { return in_; }
  std::size_t size() const { return graph_.size(); }
  Index leaving(Index zone) const { return zone; }
  Index arriving(Index zone) const { return zone < network_.first_thru ? network_.nodes + zone : zone; }

  double time(std::size_t e, double flow) const;   // of link e: free · (1 + b (x/capacity)^power), and its constants
  double slope(std::size_t e, double flow) const;  // its derivative
  double integral(std::size_t e, double flow) const;    // from 0 to the flow
  double beckmann(std::span<const double> flow) const;  // Σ integral: smallest in the users' equilibrium
  void times(std::span<const double> flow, std::span<double> time) const;

 private:
  RoadNetwork network_;
  Graph graph_;
  Incidence out_, in_;
  Vec constant_;
};

// Braess's network: four nodes, six vehicles from 1 to 2, and a link in the middle that makes everybody slower. In
// equilibrium each of the three routes takes 92; without the link, 83.
RoadNetwork braess_network();
std::vector<Trip> braess_trips();

}  // namespace tarry::lab
