// A cheapest flow on edges that each carry 0 or 1, for any costs: shortest paths in the residual graph, by Dijkstra on
// costs that potentials keep non-negative (Edmonds and Karp 1972), from all supplies at once.
#pragma once

#include "tarry/sets/combinatorial/graph.h"

namespace tarry {

class Residual {
 public:
  // Edges of negative cost carry 1 to begin with. All four must outlive this.
  Residual(const Graph& graph, const Incidence& out, const Incidence& in, std::span<const double> costs);

  void supply(Index node, int amount) { supply_[static_cast<std::size_t>(node)] += amount; }  // Σ must be 0
  void settle();
  std::vector<std::uint32_t> used() const;  // ascending

 private:
  struct Label {  // how a node was reached
    double distance;
    std::uint32_t edge;
    bool done = false;
  };
  void label_from_supplies();
  void send();
  bool send_to(std::size_t node, std::vector<bool>& turned);
  template <class Visit>
  void each_arc(std::size_t from, Visit visit) const;
  std::size_t before(std::size_t node) const;  // the one that its label came from

  const Graph& graph_;
  const Incidence& out_;
  const Incidence& in_;
  std::span<const double> costs_;
  std::vector<bool> carries_;
  std::vector<int> supply_;  // what must still leave a node; negative: must arrive there
  Vec potential_;
  std::vector<Label> label_;
};

}  // namespace tarry
