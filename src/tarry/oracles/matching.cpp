#include "tarry/oracles/matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/oracles/odd_cut.h"
#include "tarry/sets/registry.h"

namespace tarry::oracles {
namespace {

// Costs become whole numbers of at most 2^50: blossoms then are exact and end, and an edge's cost is off by less than
// 2^-50 of the largest.
constexpr int kBits = 50;

}  // namespace

Matching::Matching(Graph graph, bool perfect) : graph_(std::move(graph)), perfect_(perfect) {
  check_graph("matching", graph_);
  for (const Edge& edge : graph_.edges) ends_.emplace_back(edge.from, edge.to);
  const auto largest = heaviest_matching(graph_.nodes, ends_, std::vector<std::int64_t>(ends_.size(), 1), false);
  most_edges_ = largest.size();
  if (perfect && 2 * static_cast<Index>(most_edges_) < graph_.nodes)
    throw Error(Code::kBadSpec,
                fmt::format("matching: no perfect matching exists (the largest one has {} of the {} nodes)",
                            2 * most_edges_, graph_.nodes));
}

SetEntry Matching::entry() {
  return {.name = "matching",
          .summary = "mixtures of the matchings of a graph, or of its perfect ones; a coordinate for each edge",
          .keys = {{"nodes", "a whole number", ""},
                   {"edges", "an array of pairs of nodes, counted from 0", ""},
                   {"perfect", "true or false: whether every node must be in the matching", "false"}},
          .make = [](const spec::Node& node) -> AnySet {
            Graph graph = read_graph(node);
            return Matching(std::move(graph), node.has("perfect") && node.at("perfect", "true or false").flag());
          },
          .examples = {R"({"type": "matching", "nodes": 5, "edges": [[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 0]]})",
                       R"({"type": "matching", "nodes": 6, "perfect": true,)"
                       R"( "edges": [[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [1, 4], [2, 5]]})"}};
}

Atom Matching::oracle(const Direction& direction) const {
  const auto used = lightest(direction.dense());
  return {SparseAtom{{used.begin(), used.end()}, Vec(used.size(), 1.0)}};
}

std::vector<std::uint32_t> Matching::lightest(std::span<const double> c) const {
  const double largest = max_abs(c);
  int exponent = 0;
  if (largest > 0) std::frexp(largest, &exponent);
  std::vector<std::int64_t> weights(c.size());
  for (std::size_t e = 0; e < c.size(); ++e)
    weights[e] = -static_cast<std::int64_t>(std::nearbyint(std::ldexp(c[e], kBits - exponent)));
  return heaviest_matching(graph_.nodes, ends_, weights, perfect_);
}

Start Matching::start() const {
  return {static_cast<Index>(graph_.size()), 0,
          mean_of_asked(graph_.size(), [&](std::span<const double> c) { return lightest(c); })};
}

// Two matchings differ in no more edges than both have, nor than there are; perfect ones have in common what is left.
double Matching::diameter() const {
  const auto both = static_cast<double>(2 * most_edges_), all = static_cast<double>(graph_.size());
  const double beside = perfect_ ? 2 * (all - static_cast<double>(most_edges_)) : all;
  return std::sqrt(std::min(both, beside));
}

// x ≥ 0, at most (or just) 1 at each node, and at least 1 of x, with what the nodes leave free, out of every odd set of
// nodes (Edmonds 1965): see odd_cut.h.
bool Matching::contains(std::span<const double> x, double tolerance) const {
  if (!std::all_of(x.begin(), x.end(), [&](double xe) { return xe >= -tolerance && xe <= 1 + tolerance; }))
    return false;
  Vec free(static_cast<std::size_t>(graph_.nodes), 1.0);
  for (std::size_t e = 0; e < x.size(); ++e) {
    free[static_cast<std::size_t>(graph_.edges[e].from)] -= x[e];
    free[static_cast<std::size_t>(graph_.edges[e].to)] -= x[e];
  }
  for (double f : free)
    if (!(f >= -tolerance) || (perfect_ && f > tolerance)) return false;
  return least_odd_cut(graph_, x, perfect_ ? Vec() : free) >= 1 - tolerance * static_cast<double>(graph_.nodes);
}

}  // namespace tarry::oracles
