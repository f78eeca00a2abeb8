// Graphs in specifications: `nodes` counted from 0, and `edges` as pairs of them; and the walks that sets need.
#pragma once

#include <string_view>
#include <vector>

#include "tarry/linalg/covector.h"
#include "tarry/spec/node.h"

namespace tarry {

struct Edge {
  Index from;
  Index to;
};

struct Graph {
  Index nodes;
  std::vector<Edge> edges;  // parallel ones are allowed: each is a coordinate of its own

  std::size_t size() const { return edges.size(); }
};

inline std::size_t index_of(Index node) { return static_cast<std::size_t>(node); }

// Reads the keys nodes and edges.
Graph read_graph(const spec::Node& node);

// Throws Error{kBadSpec} for an edge to a node that does not exist, one from a node to itself, or no edges.
void check_graph(std::string_view who, const Graph& graph);

// The edges at each node, ascending: out of it, into it, or both for a graph without directions.
class Incidence {
 public:
  enum Ends { kOut, kIn, kBoth };
  Incidence(const Graph& graph, Ends ends);
  std::span<const std::uint32_t> at(Index node) const {
    const auto v = static_cast<std::size_t>(node);
    return {edges_.data() + first_[v], first_[v + 1] - first_[v]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> edges_;
};

// The nodes that can be reached from `start` along `edges` in their direction (kOut), against it (kIn), or either way.
std::vector<bool> reached(const Graph& graph, const Incidence& incidence, Index start);

// Nodes such that every edge goes from an earlier to a later one; empty when the graph has a cycle.
std::vector<Index> topological_order(const Graph& graph, const Incidence& out);

// Which of its nodes are joined: union-find with path halving.
class Components {
 public:
  explicit Components(Index nodes);
  bool join(const Edge& edge);  // false when its ends were joined already

 private:
  std::size_t root(std::size_t v);
  std::vector<std::size_t> parent_;
};

// Mean of the answers to directions that each ask for one edge: for up to kMostAsked of them, evenly spread. A start
// that is well inside.
template <class Oracle>
Vec mean_of_asked(std::size_t dimension, Oracle oracle) {
  constexpr std::size_t kMostAsked = 64;
  const std::size_t asked = std::min(dimension, kMostAsked);
  Vec mean(dimension, 0.0), c(dimension, 0.0);
  for (std::size_t k = 0; k < asked; ++k) {
    const std::size_t wanted = k * dimension / asked;
    c[wanted] = -1;
    for (std::uint32_t e : oracle(std::span<const double>(c))) mean[e] += 1;
    c[wanted] = 0;
  }
  for (double& x : mean) x /= static_cast<double>(asked);
  return mean;
}

}  // namespace tarry
