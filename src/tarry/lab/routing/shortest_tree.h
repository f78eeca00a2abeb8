// The quickest routes from one origin to everywhere, by Dijkstra: all pairs with one origin share it.
#pragma once

#include <vector>

#include "tarry/lab/routing/roads.h"

namespace tarry::lab {

// The links of a way through the roads, in the order in which they are driven.
using Route = std::vector<std::uint32_t>;

class ShortestTree {
 public:
  explicit ShortestTree(const Roads& roads) : roads_(roads) {}

  // Times must be at least 0. Ties go to the lowest link.
  void grow(Index origin, std::span<const double> times);
  double time_to(Index zone) const { return time_[static_cast<std::size_t>(roads_.arriving(zone))]; }
  bool reaches(Index zone) const;
  Route route_to(Index zone) const;

 private:
  const Roads& roads_;
  Index root_ = 0;
  Vec time_;
  std::vector<std::uint32_t> by_;                   // the link that leads to a node
  std::vector<std::pair<double, Index>> frontier_;  // a heap, kept for its room
};

}  // namespace tarry::lab
