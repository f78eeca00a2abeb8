// The users' equilibrium: flows at which nobody has a quicker route. It is where Beckmann's convex function, the sum of
// the links' integrals, is smallest (Beckmann, McGuire, Winsten 1956).
//
// Frank-Wolfe with pairwise steps, pair by pair: the quickest route of each pair joins those it uses, and vehicles
// change to it from each of the others, as many as an exact line search says (gradient projection, Jayakrishnan et al.
// 1994, with the line search of pairwise Frank-Wolfe).
#pragma once

#include <atomic>

#include "tarry/lab/interrupted.h"
#include "tarry/lab/interval.h"
#include "tarry/lab/routing/shortest_tree.h"

namespace tarry::lab {

struct Equilibrium {
  Vec flow;            // of the links
  Interval objective;  // Beckmann's function at its minimum: the flow's value, and what convexity proves below it
  double gap = 0;      // relative: 1 − time on the quickest routes / time driven, both at this flow
  int passes = 0;
};

struct EquilibriumOptions {
  double gap = 1e-6;
  int most_passes = 1000;
  const std::atomic<bool>* stop = nullptr;  // set: gives up soon, by Interrupted
};

// Throws Error{kBadInput} where no route leads from a trip's origin to its destination. Trips are in order of origins.
Equilibrium users_equilibrium(const Roads& roads, const std::vector<Trip>& trips,
                              const EquilibriumOptions& options = {});

// What everybody would take if all drove the quickest routes at these times: Σ demand · quickest time.
double quickest_total(const Roads& roads, const std::vector<Trip>& trips, std::span<const double> times);

// Every trip has a route; else throws as above.
void check_connected(const Roads& roads, const std::vector<Trip>& trips);

}  // namespace tarry::lab
