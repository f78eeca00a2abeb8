// Regret against comparators that move: Theorems 20.3 and 20.4 of docs/theory.md.
#pragma once

#include <vector>

#include "tarry/theory/bounds.h"

namespace tarry::theory {

// What a comparator does, and what waits meanwhile.
struct Moving {
  double path = 0;              // P_T = Σ‖u_{t+1} − u_t‖
  double most_outstanding = 0;  // o, the largest o_t
};

// One learner by infeasible projections (20.3).
double infeasible_ogd_moving(const Scene& s, const InfeasibleSteps& steps, const Moving& moving);

// The steps of the bases by separation whose hedge needs to know nothing of the path, and what that hedge promises
// (20.4).
std::vector<InfeasibleSteps> moving_steps(const Scene& s);
double hedged_moving(const Scene& s, const Moving& moving);

}  // namespace tarry::theory
