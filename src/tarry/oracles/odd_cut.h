// The least cut around an odd number of nodes: what separates points from the hull of matchings.
#pragma once

#include "tarry/sets/combinatorial/graph.h"

namespace tarry::oracles {

// The least weight that leaves an odd set of nodes, over all of them (Padberg and Rao 1982). With `free`, a number for
// each node, every node also has an edge of that weight to its copy in a second graph like the first: matchings that
// leave nodes out are perfect ones there. Otherwise the number of nodes is even. As many cuts as nodes.
double least_odd_cut(const Graph& graph, std::span<const double> weights, std::span<const double> free);

}  // namespace tarry::oracles
