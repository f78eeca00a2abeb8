#include "tarry/sets/combinatorial/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "tarry/base/error.h"
#include "tarry/sets/checks.h"

namespace tarry {
namespace {

constexpr Index kMostNodes = Index{1} << 20;

}  // namespace

Graph read_graph(const spec::Node& node) {
  Graph graph{node.count("nodes", 1, kMostNodes), {}};
  for (const spec::Node& edge : node.at("edges", "an array of pairs of nodes").list()) {
    const std::vector<Index> ends = edge.integers();
    if (ends.size() != 2) edge.fail("a pair of nodes, [from, to]");
    graph.edges.push_back({ends[0], ends[1]});
  }
  return graph;
}

void check_graph(std::string_view who, const Graph& graph) {
  check_count(who, "nodes", graph.nodes, 1, kMostNodes);
  check_not_empty(who, "edges", graph.size());
  check_count(who, "the number of edges", static_cast<Index>(graph.size()), 1,
              std::numeric_limits<std::int32_t>::max());
  for (std::size_t e = 0; e < graph.size(); ++e) {
    const auto [from, to] = graph.edges[e];
    for (Index end : {from, to})
      if (end < 0 || end >= graph.nodes)
        throw Error(Code::kBadSpec, fmt::format("{}: edges[{}] must join nodes from 0 to {} (edges[{}] = [{}, {}])",
                                                who, e, graph.nodes - 1, e, from, to));
    if (from == to)
      throw Error(Code::kBadSpec,
                  fmt::format("{}: edges[{}] must join two nodes (edges[{}] = [{}, {}])", who, e, e, from, to));
  }
}

Incidence::Incidence(const Graph& graph, Ends ends) : first_(index_of(graph.nodes) + 1, 0) {
  const auto each = [&](auto visit) {
    for (std::uint32_t e = 0; e < graph.size(); ++e) {
      if (ends != kIn) visit(graph.edges[e].from, e);
      if (ends != kOut) visit(graph.edges[e].to, e);
    }
  };
  each([&](Index v, std::uint32_t) { ++first_[index_of(v) + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  edges_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  each([&](Index v, std::uint32_t e) { edges_[next[index_of(v)]++] = e; });
}

std::vector<bool> reached(const Graph& graph, const Incidence& incidence, Index start) {
  std::vector<bool> seen(index_of(graph.nodes), false);
  std::vector<Index> waiting{start};
  seen[index_of(start)] = true;
  while (!waiting.empty()) {
    const Index v = waiting.back();
    waiting.pop_back();
    for (std::uint32_t e : incidence.at(v)) {
      const auto [from, to] = graph.edges[e];
      const Index other = from == v ? to : from;
      if (seen[index_of(other)]) continue;
      seen[index_of(other)] = true;
      waiting.push_back(other);
    }
  }
  return seen;
}

std::vector<Index> topological_order(const Graph& graph, const Incidence& out) {
  std::vector<std::size_t> incoming(index_of(graph.nodes), 0);
  for (const Edge& edge : graph.edges) ++incoming[index_of(edge.to)];
  std::vector<Index> order;
  for (Index v = 0; v < graph.nodes; ++v)
    if (incoming[index_of(v)] == 0) order.push_back(v);
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::uint32_t e : out.at(order[k]))
      if (const Index to = graph.edges[e].to; --incoming[index_of(to)] == 0) order.push_back(to);
  if (order.size() < incoming.size()) order.clear();
  return order;
}

Components::Components(Index nodes) : parent_(index_of(nodes)) {
  std::iota(parent_.begin(), parent_.end(), std::size_t{0});
}

bool Components::join(const Edge& edge) {
  const std::size_t a = root(index_of(edge.from)), b = root(index_of(edge.to));
  parent_[std::max(a, b)] = std::min(a, b);
  return a != b;
}

std::size_t Components::root(std::size_t v) {
  while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
  return v;
}

}  // namespace tarry
