#include "tarry/oracles/heaviest_matching.h"

#include <lemon/matching.h>
#include <lemon/smart_graph.h>

namespace tarry::oracles {

std::vector<std::uint32_t> heaviest_matching(std::int64_t nodes, const Ends& edges,
                                             const std::vector<std::int64_t>& weights, bool perfect) {
  using Graph = lemon::SmartGraph;
  using Weights = Graph::EdgeMap<std::int64_t>;
  Graph graph;
  graph.reserveNode(static_cast<int>(nodes));
  graph.reserveEdge(static_cast<int>(edges.size()));
  for (std::int64_t v = 0; v < nodes; ++v) graph.addNode();
  Weights weight(graph);
  for (std::size_t e = 0; e < edges.size(); ++e)
    weight[graph.addEdge(graph.nodeFromId(static_cast<int>(edges[e].first)),
                         graph.nodeFromId(static_cast<int>(edges[e].second)))] = weights[e];

  std::vector<std::uint32_t> used;
  const auto collect = [&](const auto& found) {
    for (std::uint32_t e = 0; e < edges.size(); ++e)
      if (found.matching(graph.edgeFromId(static_cast<int>(e)))) used.push_back(e);
  };
  if (perfect) {
    lemon::MaxWeightedPerfectMatching<Graph, Weights> method(graph, weight);
    if (method.run()) collect(method);
  } else {
    lemon::MaxWeightedMatching<Graph, Weights> method(graph, weight);
    method.run();
    collect(method);
  }
  return used;
}

}  // namespace tarry::oracles
