#include "tarry/sets/combinatorial/min_cut.h"

#include <algorithm>
#include <limits>

namespace tarry {
namespace {

constexpr std::size_t kUnreached = std::numeric_limits<std::size_t>::max();

}  // namespace

void MinCut::join(std::size_t a, std::size_t b, double forth, double back) {
  first_[a].push_back(arcs_.size());
  arcs_.push_back({b, forth, forth});
  first_[b].push_back(arcs_.size());
  arcs_.push_back({a, back, back});
}

void MinCut::cut_back(std::size_t arcs) {
  for (; arcs_.size() > arcs; arcs_.pop_back()) first_[arcs_[(arcs_.size() - 1) ^ 1].to].pop_back();
}

double MinCut::between(std::size_t source, std::size_t sink) {
  double largest = 0;
  for (Arc& arc : arcs_) {
    arc.left = arc.capacity;
    largest = std::max(largest, arc.capacity);
  }
  negligible_ = 1e-15 * largest;  // what rounding leaves of a full arc is no way through
  double flow = 0;
  while (level(source, sink)) {
    next_.assign(first_.size(), 0);
    for (double more = push(source, sink); more > 0; more = push(source, sink)) flow += more;
  }
  side_.assign(first_.size(), false);
  for (std::size_t v = 0; v < side_.size(); ++v) side_[v] = level_[v] != kUnreached;
  return flow;
}

// Distances from the source along arcs that have something left; whether they reach the sink.
bool MinCut::level(std::size_t source, std::size_t sink) {
  level_.assign(first_.size(), kUnreached);
  level_[source] = 0;
  std::vector<std::size_t> queue{source};
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (std::size_t a : first_[queue[k]])
      if (arcs_[a].left > negligible_ && level_[arcs_[a].to] == kUnreached) {
        level_[arcs_[a].to] = level_[queue[k]] + 1;
        queue.push_back(arcs_[a].to);
      }
  return level_[sink] != kUnreached;
}

// One more path through the levels; 0 when there is none.
double MinCut::push(std::size_t source, std::size_t sink) {
  std::vector<std::size_t> path;
  std::size_t v = source;
  while (v != sink) {
    if (next_[v] < first_[v].size()) {
      const std::size_t a = first_[v][next_[v]];
      if (arcs_[a].left > negligible_ && level_[arcs_[a].to] == level_[v] + 1) {
        path.push_back(a);
        v = arcs_[a].to;
      } else {
        ++next_[v];
      }
    } else {
      if (path.empty()) return 0;
      v = arcs_[path.back() ^ 1].to;
      path.pop_back();
      ++next_[v];
    }
  }
  double most = std::numeric_limits<double>::max();
  for (std::size_t a : path) most = std::min(most, arcs_[a].left);
  for (std::size_t a : path) {
    arcs_[a].left -= most;
    arcs_[a ^ 1].left += most;
  }
  return most;
}

}  // namespace tarry
