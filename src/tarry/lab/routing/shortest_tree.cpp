#include "tarry/lab/routing/shortest_tree.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace tarry::lab {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void ShortestTree::grow(Index origin, std::span<const double> times) {
  const auto at = [](Index node) { return static_cast<std::size_t>(node); };
  const Graph& graph = roads_.graph();
  root_ = roads_.leaving(origin);
  time_.assign(at(graph.nodes), kFar);
  by_.assign(time_.size(), kNone);
  time_[at(root_)] = 0;
  frontier_.assign(1, {0, root_});
  while (!frontier_.empty()) {
    std::pop_heap(frontier_.begin(), frontier_.end(), std::greater<>());
    const auto [time, v] = frontier_.back();
    frontier_.pop_back();
    if (time > time_[at(v)]) continue;  // found a quicker way since
    for (std::uint32_t e : roads_.out().at(v)) {
      const Index to = graph.edges[e].to;
      const double reached = time + times[e];
      if (!(reached < time_[at(to)])) continue;
      time_[at(to)] = reached;
      by_[at(to)] = e;
      frontier_.emplace_back(reached, to);
      std::push_heap(frontier_.begin(), frontier_.end(), std::greater<>());
    }
  }
}

bool ShortestTree::reaches(Index zone) const { return time_to(zone) < kFar; }

Route ShortestTree::route_to(Index zone) const {
  Route route;
  for (Index v = roads_.arriving(zone); v != root_; v = roads_.graph().edges[route.back()].from)
    route.push_back(by_[static_cast<std::size_t>(v)]);
  std::reverse(route.begin(), route.end());
  return route;
}

}  // namespace tarry::lab
