#include "tarry/sets/combinatorial/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/combinatorial/residual.h"
#include "tarry/sets/registry.h"

namespace tarry {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

AnySet read_flow(const spec::Node& node) {
  Graph graph = read_graph(node);
  const Index last = graph.nodes - 1, source = node.count("source", 0, last), sink = node.count("sink", 0, last);
  return Flow(std::move(graph), source, sink);
}

}  // namespace

Flow::Flow(Graph graph, Index source, Index sink)
    : graph_((check_graph("flow", graph), std::move(graph))),
      source_(source),
      sink_(sink),
      out_(graph_, Incidence::kOut),
      in_(graph_, Incidence::kIn),
      order_(topological_order(graph_, out_)) {
  check_count("flow", "source", source, 0, graph_.nodes - 1);
  check_count("flow", "sink", sink, 0, graph_.nodes - 1);
  if (source == sink)
    throw Error(Code::kBadSpec, fmt::format("flow: source and sink must be different nodes (both are {})", source));
  from_source_ = reached(graph_, out_, source);
  to_sink_ = reached(graph_, in_, sink);
  if (!from_source_[index_of(sink)])
    throw Error(Code::kBadSpec,
                fmt::format("flow: no path leads from the source to the sink (source = {}, sink = {})", source, sink));
}

SetEntry Flow::entry() {
  return {
      .name = "flow",
      .summary = "unit flows from a source to a sink, a coordinate for each edge; mixtures of paths",
      .keys = {{"nodes", "a whole number", ""},
               {"edges", "an array of pairs [from, to], nodes counted from 0", ""},
               {"source", "a node", ""},
               {"sink", "a node", ""}},
      .make = read_flow,
      .examples = {R"({"type": "flow", "nodes": 5, "edges": [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3], [3, 4], [2, 4]],)"
                   R"( "source": 0, "sink": 4})",
                   R"({"type": "flow", "nodes": 4, "edges": [[0, 1], [1, 2], [2, 1], [2, 3], [0, 2], [3, 0], [1, 3]],)"
                   R"( "source": 0, "sink": 3})"}};
}

bool Flow::is_useful(const Edge& edge) const {
  return from_source_[index_of(edge.from)] && to_sink_[index_of(edge.to)];
}

Atom Flow::oracle(const Direction& direction) const {
  auto used = is_acyclic() ? shortest_path(direction.dense()) : cheapest_flow(direction.dense());
  std::sort(used.begin(), used.end());
  return {SparseAtom{{used.begin(), used.end()}, Vec(used.size(), 1.0)}};
}

// Backwards through the order: what is left to the sink from each node, and by which edge; ties to the lowest.
std::vector<std::uint32_t> Flow::shortest_path(std::span<const double> c) const {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  Vec left(index_of(graph_.nodes), kFar);
  std::vector<std::uint32_t> by(left.size(), kNone);
  left[index_of(sink_)] = 0;
  for (auto v = order_.rbegin(); v != order_.rend(); ++v)
    for (std::uint32_t e : out_.at(*v))
      if (c[e] + left[index_of(graph_.edges[e].to)] < left[index_of(*v)]) {
        left[index_of(*v)] = c[e] + left[index_of(graph_.edges[e].to)];
        by[index_of(*v)] = e;
      }
  std::vector<std::uint32_t> path;
  for (Index v = source_; v != sink_; v = graph_.edges[path.back()].to) path.push_back(by[index_of(v)]);
  return path;
}

// Edges of negative cost are used to begin with. What then is missing at one node and too much at another goes along
// shortest paths of what is left, whose costs are all ≥ 0: with no negative edge that is Dijkstra's path.
std::vector<std::uint32_t> Flow::cheapest_flow(std::span<const double> c) const {
  Residual residual(graph_, out_, in_, c);
  residual.supply(source_, 1);
  residual.supply(sink_, -1);
  residual.settle();
  return residual.used();
}

// Without cycles, what comes into a node is shared equally by the edges that lead on to the sink.
Start Flow::start() const {
  const auto dimension = static_cast<Index>(graph_.size());
  if (!is_acyclic())
    return {dimension, 0, mean_of_asked(graph_.size(), [&](std::span<const double> c) { return cheapest_flow(c); })};
  Vec x(graph_.size(), 0.0), at(index_of(graph_.nodes), 0.0);
  at[index_of(source_)] = 1;
  for (Index v : order_) {
    double ways = 0;
    for (std::uint32_t e : out_.at(v)) ways += is_useful(graph_.edges[e]) ? 1 : 0;
    for (std::uint32_t e : out_.at(v)) {
      if (!is_useful(graph_.edges[e])) continue;
      x[e] = at[index_of(v)] / ways;
      at[index_of(graph_.edges[e].to)] += x[e];
    }
  }
  return {dimension, 0, std::move(x)};
}

// Two paths differ in at most the edges of both, and in no more edges than there are: √(2 · longest path). Edges that
// every path must use, because nothing else passes some place of the order, do not count.
double Flow::diameter() const {
  if (!is_acyclic()) return std::sqrt(static_cast<double>(graph_.size()));
  std::vector<std::size_t> place(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) place[index_of(order_[k])] = k;
  std::vector<std::ptrdiff_t> across(order_.size() + 1, 0);  // how many edges pass from place k to k + 1
  for (const Edge& edge : graph_.edges)
    if (is_useful(edge)) {
      ++across[place[index_of(edge.from)]];
      --across[place[index_of(edge.to)]];
    }
  std::partial_sum(across.begin(), across.end(), across.begin());
  std::vector<std::size_t> narrow(across.size() + 1, 0);  // how many places before k only one edge passes
  for (std::size_t k = 0; k < across.size(); ++k) narrow[k + 1] = narrow[k] + (across[k] == 1 ? 1 : 0);
  double choices = 0;
  Vec longest(order_.size(), 0.0);
  for (Index v : order_)
    for (std::uint32_t e : out_.at(v)) {
      if (!is_useful(graph_.edges[e])) continue;
      const std::size_t from = place[index_of(v)], to = place[index_of(graph_.edges[e].to)];
      const double counts = narrow[from] == narrow[to] ? 1 : 0;
      choices += counts;
      longest[to] = std::max(longest[to], longest[from] + counts);
    }
  return std::sqrt(std::min(choices, 2 * longest[place[index_of(sink_)]]));
}

SparseAtom Flow::without_cycles(SparseAtom v) const {
  if (is_acyclic()) return v;
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  const auto place_of = [&](Index edge) {
    const auto found = std::lower_bound(v.at.begin(), v.at.end(), edge);
    return found != v.at.end() && *found == edge ? static_cast<std::size_t>(found - v.at.begin()) : kNone;
  };
  std::vector<std::size_t> by(index_of(graph_.nodes), kNone);  // the place in v of the edge that first came here
  std::vector<Index> queue = {source_};
  for (std::size_t k = 0; k < queue.size() && by[index_of(sink_)] == kNone; ++k)
    for (std::uint32_t e : out_.at(queue[k])) {
      const Index to = graph_.edges[e].to;
      const std::size_t place = place_of(static_cast<Index>(e));
      if (place == kNone || to == source_ || by[index_of(to)] != kNone) continue;
      by[index_of(to)] = place;
      queue.push_back(to);
    }
  if (by[index_of(sink_)] == kNone) return v;  // no flow
  std::vector<std::size_t> path;
  for (Index node = sink_; node != source_; node = graph_.edges[index_of(v.at[path.back()])].from)
    path.push_back(by[index_of(node)]);
  std::sort(path.begin(), path.end());
  SparseAtom alone;
  for (std::size_t place : path) {
    alone.at.push_back(v.at[place]);
    alone.value.push_back(v.value[place]);
  }
  return alone;
}

bool Flow::contains(std::span<const double> x, double tolerance) const {
  Vec left(index_of(graph_.nodes), 0.0);
  left[index_of(source_)] = 1;
  left[index_of(sink_)] = -1;
  for (std::size_t e = 0; e < x.size(); ++e) {
    if (!(x[e] >= -tolerance && x[e] <= 1 + tolerance)) return false;
    left[index_of(graph_.edges[e].from)] -= x[e];
    left[index_of(graph_.edges[e].to)] += x[e];
  }
  return max_abs(left) <= tolerance;
}

}  // namespace tarry
