#include "tarry/sets/combinatorial/residual.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

std::size_t index_of(Index node) { return static_cast<std::size_t>(node); }

}  // namespace

Residual::Residual(const Graph& graph, const Incidence& out, const Incidence& in, std::span<const double> costs)
    : graph_(graph),
      out_(out),
      in_(in),
      costs_(costs),
      carries_(graph.size(), false),
      supply_(index_of(graph.nodes), 0),
      potential_(index_of(graph.nodes), 0.0),
      label_(index_of(graph.nodes), Label{kFar, 0}) {
  for (std::size_t e = 0; e < graph.size(); ++e) {
    if (!(costs[e] < 0)) continue;
    carries_[e] = true;
    --supply_[index_of(graph.edges[e].from)];
    ++supply_[index_of(graph.edges[e].to)];
  }
}

void Residual::settle() {
  for (std::size_t v = 0; v < supply_.size(); ++v)
    while (supply_[v] > 0) send_one(v);
}

// visit(edge, other end, cost under the potentials) for every way out of a node: idle edges forwards, used ones back.
template <class Visit>
void Residual::each_arc(std::size_t from, Visit visit) const {
  const auto reduced = [&](double cost, std::size_t to) {
    return std::max(0.0, cost + potential_[from] - potential_[to]);  // below 0 only by rounding
  };
  for (std::uint32_t e : out_.at(static_cast<Index>(from)))
    if (const std::size_t to = index_of(graph_.edges[e].to); !carries_[e]) visit(e, to, reduced(costs_[e], to));
  for (std::uint32_t e : in_.at(static_cast<Index>(from)))
    if (const std::size_t to = index_of(graph_.edges[e].from); carries_[e]) visit(e, to, reduced(-costs_[e], to));
}

// Dijkstra until the nearest node that lacks something. Only what was visited gets a new potential: π += distance −
// the last one's distance, which is 0 for nodes further away.
void Residual::send_one(std::size_t from) {
  using Reached = std::pair<double, std::size_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> nearest;
  std::vector<std::size_t> touched{from};
  label_[from].distance = 0;
  nearest.push({0, from});
  std::size_t last = supply_.size();
  while (last == supply_.size()) {
    if (nearest.empty()) throw Error(Code::kInternal, "flow: a supply has no way out");
    const auto [distance, v] = nearest.top();
    nearest.pop();
    if (label_[v].done) continue;
    label_[v].done = true;
    if (supply_[v] < 0) {
      last = v;
      break;
    }
    each_arc(v, [&](std::uint32_t e, std::size_t to, double cost) {
      if (label_[to].done || !(distance + cost < label_[to].distance)) return;
      if (label_[to].distance == kFar) touched.push_back(to);
      label_[to] = {distance + cost, e};
      nearest.push({distance + cost, to});
    });
  }
  push_back_to(from, last);
  const double furthest = label_[last].distance;
  for (std::size_t v : touched) {
    if (label_[v].done) potential_[v] += label_[v].distance - furthest;
    label_[v] = {kFar, 0};
  }
}

void Residual::push_back_to(std::size_t from, std::size_t to) {
  --supply_[from];
  ++supply_[to];
  while (to != from) {
    const std::uint32_t e = label_[to].edge;
    const auto [tail, head] = graph_.edges[e];
    to = index_of(carries_[e] ? head : tail);
    carries_[e] = !carries_[e];
  }
}

std::vector<std::uint32_t> Residual::used() const {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t e = 0; e < carries_.size(); ++e)
    if (carries_[e]) edges.push_back(e);
  return edges;
}

}  // namespace tarry
