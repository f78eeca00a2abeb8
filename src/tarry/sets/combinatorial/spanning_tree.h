// Mixtures of the spanning trees of a connected graph, a coordinate for each edge.
#pragma once

#include "tarry/sets/combinatorial/graph.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class SpanningTree {
 public:
  explicit SpanningTree(Graph graph);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;

 private:
  std::vector<std::uint32_t> lightest_tree(std::span<const double> c) const;

  Graph graph_;
};

static_assert(DecisionSet<SpanningTree>);

}  // namespace tarry
