// Learning from the values of losses alone: how far to look around and for how long, and the regret that follows.
// Theorems 19 and 19.1 of docs/theory.md, [M].
#pragma once

#include <cstdint>

namespace tarry::theory {

struct BanditScene {
  double diameter;      // D
  double inner_radius;  // r: of a ball inside the set
  double lipschitz;     // G
  double half_range;    // M: half the range of the losses' values
  double dimension;     // n
};

struct BanditPlan {
  double delta = 0;         // δ: how far from y decisions are drawn
  std::uint64_t block = 1;  // b: rounds that share a y
  double eta = 0;           // η
  double gap = 0;           // ε: what Frank-Wolfe leaves of F − min F
  double lipschitz = 0;     // the G that it was made for
  bool two_points = false;  // the values at z + δu and z − δu come, and not one alone
};

// What has been played: rounds T, blocks N, and Σ over blocks of those not yet whole when they began.
struct BanditSeen {
  double rounds, blocks, outstanding;
};

// For T rounds and delays of at most `largest_delay`.
BanditPlan bandit_plan(const BanditScene& s, double horizon, double largest_delay);

// The same for two values a round, which need no range; 0 rounds a block: as many as parts noise from delays.
BanditPlan two_point_plan(const BanditScene& s, double horizon, double largest_delay, std::uint64_t block = 0);

// With any plan, in expectation: D²/η + NS√ε + (η/2)S²(N + ΣO) + (2 + D/r)δGT, S² = bn²M²/δ² + b²G²,
// with two values S² = bν² + b²G², ν² = G²n²/max(1, n − 1).
double bandit_ofw(const BanditScene& s, const BanditPlan& plan, const BanditSeen& seen);

}  // namespace tarry::theory
