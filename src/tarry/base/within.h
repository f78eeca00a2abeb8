// Checks numbers of a snapshot that oracles and projections will compute with: if they are larger than any game makes
// them, sums would overflow, and some of these algorithms do not end on NaN.
#pragma once

#include <cmath>
#include <span>

#include "tarry/base/error.h"

namespace tarry {

inline constexpr double kMostInState = 1e150;    // of a decision, or a sum of gradients of at most 1e100 each
inline constexpr double kMostWithSteps = 1e250;  // of such a sum times a step of at most 1e100

inline void check_within(std::span<const double> x, double most = kMostInState, double factor = 1) {
  for (const double each : x)
    if (!(std::fabs(factor * each) <= most))
      throw Error(Code::kCorrupt, "snapshot: a decision or a sum of gradients has an impossible number");
}

// A step, or its replacement: at most 1e100, as specifications may ask for.
inline double checked_step(double step) {
  if (!(step >= 0 && step <= 1e100)) throw Error(Code::kCorrupt, "snapshot: a step must be from 0 to 1e100");
  return step;
}

}  // namespace tarry
