// Who travels where, and on which roads: what is the same for every run of a routing stream.
//
// Round t is one traveller, who represents demand/travellers vehicles: at any time the last `travellers` of them are
// the whole demand. A traveller leaves every 1/departures units of time.
#pragma once

#include <memory>

#include "tarry/lab/routing/equilibrium.h"
#include "tarry/ledger/round.h"

namespace tarry::lab {

struct TravelRule {
  Round travellers = 1000;  // that stand for the whole demand
  double departures = 1;    // a unit of time
  double noise = 0;         // measured times are off by at most this share
  double gap = 1e-6;        // relative, of the equilibrium
};

class Travel {
 public:
  // Throws Error{kBadInput} where a trip has no route.
  Travel(Roads roads, std::vector<Trip> trips, const TravelRule& rule, std::uint64_t seed);

  const Roads& roads() const { return roads_; }
  const std::vector<Trip>& trips() const { return trips_; }
  const TravelRule& rule() const { return rule_; }
  std::uint64_t seed() const { return seed_; }
  const Equilibrium& equilibrium() const { return equilibrium_; }
  double demand() const { return up_to_.back(); }
  double vehicles() const { return demand() / static_cast<double>(rule_.travellers); }  // that a traveller represents

  std::size_t pair_of(Round t) const;  // whose turn it is: drawn in proportion to the demands
  const Route& free_route(std::size_t pair) const { return free_routes_[pair]; }  // the quickest on empty roads
  double largest_times() const;  // ‖times‖ were everybody on every link, with the noise: a bound

 private:
  Roads roads_;
  std::vector<Trip> trips_;
  TravelRule rule_;
  std::uint64_t seed_;
  Vec up_to_;  // the demands of the pairs so far
  std::vector<Route> free_routes_;
  Equilibrium equilibrium_;
};

// What random numbers of a routing stream are for.
enum class TravelDraws : std::uint64_t { kPairs = 71, kNoise, kRoutes };

}  // namespace tarry::lab
