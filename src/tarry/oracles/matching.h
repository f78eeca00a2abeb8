// Mixtures of the matchings of a graph, or of its perfect ones: a coordinate for each edge.
#pragma once

#include "tarry/oracles/heaviest_matching.h"
#include "tarry/sets/combinatorial/graph.h"
#include "tarry/sets/set.h"

namespace tarry {
struct SetEntry;
}

namespace tarry::oracles {

class Matching {
 public:
  Matching(Graph graph, bool perfect);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;

 private:
  std::vector<std::uint32_t> lightest(std::span<const double> c) const;

  Graph graph_;
  bool perfect_;
  Ends ends_;
  std::size_t most_edges_;  // in one matching
};

static_assert(DecisionSet<Matching>);

}  // namespace tarry::oracles
