// The decisions for one pair of zones: unit flows through the roads, 0 ≤ x ≤ 1 on each link. What the set `flow` is,
// over a graph that all pairs share, and starting with the route that is quickest on empty roads.
#pragma once

#include <memory>

#include "tarry/lab/routing/travel.h"
#include "tarry/sets/set.h"

namespace tarry::lab {

class TripFlow {
 public:
  TripFlow(std::shared_ptr<const Travel> travel, std::size_t pair);

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;

 private:
  std::shared_ptr<const Travel> travel_;
  std::size_t pair_;
  Index source_, sink_;
};

static_assert(DecisionSet<TripFlow>);

}  // namespace tarry::lab
