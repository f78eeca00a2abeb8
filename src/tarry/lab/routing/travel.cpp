#include "tarry/lab/routing/travel.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/random.h"
#include "tarry/linalg/norms.h"

namespace tarry::lab {

Travel::Travel(Roads roads, std::vector<Trip> trips, const TravelRule& rule, std::uint64_t seed)
    : roads_(std::move(roads)), trips_(std::move(trips)), rule_(rule), seed_(seed) {
  equilibrium_ = users_equilibrium(roads_, trips_, {.gap = rule.gap});
  Vec empty(roads_.size(), 0.0), times(roads_.size());
  roads_.times(empty, times);
  ShortestTree tree(roads_);
  double sum = 0;
  for (std::size_t k = 0; k < trips_.size(); ++k) {
    if (k == 0 || trips_[k].origin != trips_[k - 1].origin) tree.grow(trips_[k].origin, times);
    free_routes_.push_back(tree.route_to(trips_[k].destination));
    up_to_.push_back(sum += trips_[k].demand);
  }
}

std::size_t Travel::pair_of(Round t) const {
  const double u = Random(seed_, static_cast<std::uint64_t>(TravelDraws::kPairs)).uniform(t) * demand();
  const auto pair = std::upper_bound(up_to_.begin(), up_to_.end(), u) - up_to_.begin();
  return std::min(static_cast<std::size_t>(pair), trips_.size() - 1);
}

double Travel::largest_times() const {
  Vec times(roads_.size());
  for (std::size_t e = 0; e < times.size(); ++e) times[e] = (1 + rule_.noise) * roads_.time(e, demand());
  return norm2(times);
}

}  // namespace tarry::lab
