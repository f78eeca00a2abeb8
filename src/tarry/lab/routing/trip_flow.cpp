#include "tarry/lab/routing/trip_flow.h"

#include <cmath>

#include "tarry/linalg/norms.h"
#include "tarry/sets/combinatorial/residual.h"

namespace tarry::lab {

TripFlow::TripFlow(std::shared_ptr<const Travel> travel, std::size_t pair)
    : travel_(std::move(travel)),
      pair_(pair),
      source_(travel_->roads().leaving(travel_->trips()[pair].origin)),
      sink_(travel_->roads().arriving(travel_->trips()[pair].destination)) {}

Atom TripFlow::oracle(const Direction& direction) const {
  const Roads& roads = travel_->roads();
  Residual residual(roads.graph(), roads.out(), roads.in(), direction.dense());
  residual.supply(source_, 1);
  residual.supply(sink_, -1);
  residual.settle();
  const auto used = residual.used();
  return {SparseAtom{{used.begin(), used.end()}, Vec(used.size(), 1.0)}};
}

Start TripFlow::start() const {
  Vec x(travel_->roads().size(), 0.0);
  for (std::uint32_t e : travel_->free_route(pair_)) x[e] = 1;
  return {static_cast<Index>(x.size()), 0, std::move(x)};
}

double TripFlow::diameter() const { return std::sqrt(static_cast<double>(travel_->roads().size())); }

bool TripFlow::contains(std::span<const double> x, double tolerance) const {
  const Graph& graph = travel_->roads().graph();
  Vec left(static_cast<std::size_t>(graph.nodes), 0.0);
  left[static_cast<std::size_t>(source_)] = 1;
  left[static_cast<std::size_t>(sink_)] = -1;
  for (std::size_t e = 0; e < x.size(); ++e) {
    if (!(x[e] >= -tolerance && x[e] <= 1 + tolerance)) return false;
    left[static_cast<std::size_t>(graph.edges[e].from)] -= x[e];
    left[static_cast<std::size_t>(graph.edges[e].to)] += x[e];
  }
  return max_abs(left) <= tolerance;
}

}  // namespace tarry::lab
