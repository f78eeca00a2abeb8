#include "tarry/sets/combinatorial/residual.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr double kUnreachable = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNoArc = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Residual::Residual(const Graph& graph, const Incidence& out, const Incidence& in, std::span<const double> costs)
    : graph_(graph),
      out_(out),
      in_(in),
      costs_(costs),
      carries_(graph.size(), false),
      supply_(index_of(graph.nodes), 0),
      potential_(index_of(graph.nodes), 0.0),
      label_(index_of(graph.nodes), Label{kUnreachable, kNoArc}) {
  for (std::size_t e = 0; e < graph.size(); ++e) {
    if (!(costs[e] < 0)) continue;
    carries_[e] = true;
    --supply_[index_of(graph.edges[e].from)];
    ++supply_[index_of(graph.edges[e].to)];
  }
}

void Residual::settle() {
  while (std::any_of(supply_.begin(), supply_.end(), [](int s) { return s > 0; })) {
    label_from_supplies();
    send();
  }
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

// Dijkstra, until every node that lacks something is done. All others are at least as far as the last one.
void Residual::label_from_supplies() {
  using Reached = std::pair<double, std::size_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> nearest;
  std::size_t lacking = 0;
  for (std::size_t v = 0; v < label_.size(); ++v) {
    label_[v] = {supply_[v] > 0 ? 0 : kUnreachable, kNoArc};
    if (supply_[v] > 0) nearest.push({0, v});
    if (supply_[v] < 0) ++lacking;
  }
  double furthest = 0;
  while (lacking > 0 && !nearest.empty()) {
    const auto [distance, v] = nearest.top();
    nearest.pop();
    if (label_[v].done) continue;
    label_[v].done = true;
    furthest = distance;
    if (supply_[v] < 0) --lacking;
    each_arc(v, [&, from = distance](std::uint32_t e, std::size_t to, double cost) {
      if (label_[to].done || !(from + cost < label_[to].distance)) return;
      label_[to] = {from + cost, e};
      nearest.push({from + cost, to});
    });
  }
  for (std::size_t v = 0; v < label_.size(); ++v) potential_[v] += label_[v].done ? label_[v].distance : furthest;
}

// The labels are a forest whose roots are the supplies, and all of its edges now cost 0: whatever goes along it keeps
// the flow cheapest.
void Residual::send() {
  std::vector<bool> turned(carries_.size(), false);
  bool sent = false;
  for (std::size_t v = 0; v < supply_.size(); ++v)
    if (supply_[v] < 0 && label_[v].done) sent = send_to(v, turned) || sent;
  if (!sent) throw Error(Code::kInternal, "flow: a supply has no way out");
}

// One unit, unless its way crosses what has been turned, or its root has nothing left.
bool Residual::send_to(std::size_t node, std::vector<bool>& turned) {
  std::vector<std::uint32_t> path;
  std::size_t v = node;
  for (; label_[v].edge != kNoArc; v = before(v)) {
    if (turned[label_[v].edge]) return false;
    path.push_back(label_[v].edge);
  }
  if (supply_[v] <= 0) return false;
  --supply_[v];
  ++supply_[node];
  for (std::uint32_t e : path) {
    carries_[e] = !carries_[e];
    turned[e] = true;
  }
  return true;
}

std::size_t Residual::before(std::size_t node) const {
  const auto [tail, head] = graph_.edges[label_[node].edge];
  return index_of(tail) == node ? index_of(head) : index_of(tail);
}

std::vector<std::uint32_t> Residual::used() const {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t e = 0; e < carries_.size(); ++e)
    if (carries_[e]) edges.push_back(e);
  return edges;
}

}  // namespace tarry
