// Unit flows from a source to a sink: a coordinate for each edge, and what enters a node leaves it.
//
// Without cycles these are the mixtures of paths. With cycles 0 ≤ x ≤ 1 holds for each edge, and a vertex may run
// around cycles beside its path, where their cost is negative.
#pragma once

#include "tarry/sets/combinatorial/graph.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Flow {
 public:
  Flow(Graph graph, Index source, Index sink);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  // The path with the fewest edges among those that v uses, with v's values.
  SparseAtom without_cycles(SparseAtom v) const;

 private:
  std::vector<std::uint32_t> shortest_path(std::span<const double> c) const;
  std::vector<std::uint32_t> cheapest_flow(std::span<const double> c) const;
  bool is_acyclic() const { return !order_.empty(); }
  bool is_useful(const Edge& edge) const;  // whether some path from the source to the sink could use it

  Graph graph_;
  Index source_;
  Index sink_;
  Incidence out_;
  Incidence in_;
  std::vector<Index> order_;  // topological; empty for a graph with cycles
  std::vector<bool> from_source_, to_sink_;
};

static_assert(DecisionSet<Flow>);

}  // namespace tarry
