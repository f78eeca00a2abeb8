#include "tarry/sets/combinatorial/spanning_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/combinatorial/min_cut.h"
#include "tarry/sets/registry.h"

namespace tarry {

SpanningTree::SpanningTree(Graph graph) : graph_(std::move(graph)) {
  check_graph("spanning_tree", graph_);
  const auto seen = reached(graph_, Incidence(graph_, Incidence::kBoth), 0);
  const auto missed = std::find(seen.begin(), seen.end(), false);
  if (missed != seen.end())
    throw Error(Code::kBadSpec, fmt::format("spanning_tree: the graph must be connected (no path joins nodes 0 and {})",
                                            missed - seen.begin()));
}

SetEntry SpanningTree::entry() {
  return {.name = "spanning_tree",
          .summary = "mixtures of the spanning trees of a graph, a coordinate for each edge",
          .keys = {{"nodes", "a whole number", ""}, {"edges", "an array of pairs of nodes, counted from 0", ""}},
          .make = [](const spec::Node& node) -> AnySet { return SpanningTree(read_graph(node)); },
          .examples = {R"({"type": "spanning_tree", "nodes": 4,)"
                       R"( "edges": [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [1, 3]]})",
                       R"({"type": "spanning_tree", "nodes": 4, "edges": [[0, 1], [1, 2], [1, 2], [2, 0], [3, 2]]})"}};
}

Atom SpanningTree::oracle(const Direction& direction) const {
  auto used = lightest_tree(direction.dense());
  std::sort(used.begin(), used.end());
  return {SparseAtom{{used.begin(), used.end()}, Vec(used.size(), 1.0)}};
}

// Kruskal: the lightest edges first, ties to the lowest index, leaving out those that would close a cycle.
std::vector<std::uint32_t> SpanningTree::lightest_tree(std::span<const double> c) const {
  std::vector<std::uint32_t> order(c.size()), used;
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return c[a] < c[b] || (c[a] == c[b] && a < b); });
  Components parts(graph_.nodes);
  for (std::uint32_t e : order) {
    if (!parts.join(graph_.edges[e])) continue;
    used.push_back(e);
    if (static_cast<Index>(used.size()) == graph_.nodes - 1) break;
  }
  return used;
}

Start SpanningTree::start() const {
  return {static_cast<Index>(graph_.size()), 0,
          mean_of_asked(graph_.size(), [&](std::span<const double> c) { return lightest_tree(c); })};
}

// Two trees differ in no more edges than they have, nor than are left beside one of them: exact where two trees are
// disjoint or cover the graph.
double SpanningTree::diameter() const {
  const auto tree = static_cast<double>(graph_.nodes - 1), rest = static_cast<double>(graph_.size()) - tree;
  return std::sqrt(2 * std::min(tree, rest));
}

// x ≥ 0, Σ x = nodes − 1, and no set S of nodes holds more than |S| − 1 (Edmonds 1971). With d the degrees of x, what S
// holds is (d(S) − cut(S)) / 2, so that |S| − x(E(S)) is cut(S)/2 + Σ_S (1 − d/2): least over the S with a given node
// in them by a cut. One cut for each node.
bool SpanningTree::contains(std::span<const double> x, double tolerance) const {
  const auto n = static_cast<std::size_t>(graph_.nodes), source = n, sink = n + 1;
  const double tree = static_cast<double>(n) - 1, slack = tolerance * tree;
  if (!std::all_of(x.begin(), x.end(), [&](double xi) { return xi >= -tolerance && xi <= 1 + tolerance; }))
    return false;
  if (!(std::fabs(sum(x) - tree) <= slack)) return false;
  Vec weight(n, 1.0);
  MinCut network(n + 2);
  for (std::size_t e = 0; e < x.size(); ++e) {
    const auto a = static_cast<std::size_t>(graph_.edges[e].from), b = static_cast<std::size_t>(graph_.edges[e].to);
    const double half = std::max(0.0, x[e]) / 2;
    network.join(a, b, half, half);
    weight[a] -= half;
    weight[b] -= half;
  }
  double gain = 0;  // Σ of the weights below 0: what S = all of those would have without its cut
  for (std::size_t v = 0; v < n; ++v) {
    if (weight[v] < 0) network.join(source, v, -weight[v], 0);
    if (weight[v] > 0) network.join(v, sink, weight[v], 0);
    gain += std::min(0.0, weight[v]);
  }
  const std::size_t links = network.arcs();
  for (std::size_t v = 0; v < n; ++v) {
    network.join(source, v, 2 * static_cast<double>(x.size() + n), 0);  // v is in S
    if (network.between(source, sink) + gain < 1 - slack) return false;
    network.cut_back(links);
  }
  return true;
}

}  // namespace tarry
