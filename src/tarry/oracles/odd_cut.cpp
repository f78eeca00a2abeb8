#include "tarry/oracles/odd_cut.h"

#include <algorithm>
#include <limits>

#include "tarry/sets/combinatorial/min_cut.h"

namespace tarry::oracles {

// A tree of cuts for all pairs (Gomory and Hu 1961, as Gusfield 1990 builds it): the least odd cut is one of the cuts
// that its edges stand for.
double least_odd_cut(const Graph& graph, std::span<const double> weights, std::span<const double> free) {
  const auto n = static_cast<std::size_t>(graph.nodes), all = free.empty() ? n : 2 * n;
  MinCut network(all);
  for (std::size_t copy = 0; copy < all; copy += n)
    for (std::size_t e = 0; e < weights.size(); ++e) {
      const double weight = std::max(0.0, weights[e]);
      network.join(copy + static_cast<std::size_t>(graph.edges[e].from),
                   copy + static_cast<std::size_t>(graph.edges[e].to), weight, weight);
    }
  for (std::size_t v = 0; v < free.size(); ++v) {
    const double weight = std::max(0.0, free[v]);
    network.join(v, n + v, weight, weight);
  }

  std::vector<std::size_t> parent(all, 0);
  Vec cut(all, std::numeric_limits<double>::infinity());
  for (std::size_t v = 1; v < all; ++v) {
    const std::size_t other = parent[v];
    cut[v] = network.between(v, other);
    const std::vector<bool>& side = network.side();
    for (std::size_t w = 0; w < all; ++w)
      if (w != v && side[w] && parent[w] == other) parent[w] = v;
    if (side[parent[other]]) {
      parent[v] = parent[other];
      parent[other] = v;
      std::swap(cut[v], cut[other]);
    }
  }

  // How many nodes hang below each edge of the tree, leaves first.
  std::vector<std::size_t> below(all, 1), children(all, 0), ready;
  for (std::size_t v = 1; v < all; ++v) ++children[parent[v]];
  for (std::size_t v = 1; v < all; ++v)
    if (children[v] == 0) ready.push_back(v);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < ready.size(); ++k) {
    const std::size_t v = ready[k];
    if (below[v] % 2 == 1) least = std::min(least, cut[v]);
    below[parent[v]] += below[v];
    if (--children[parent[v]] == 0 && parent[v] != 0) ready.push_back(parent[v]);
  }
  return least;
}

}  // namespace tarry::oracles
