// Euclidean projections that several sets share.
#pragma once

#include <span>

#include "tarry/linalg/covector.h"

namespace tarry {

// Onto {x ≥ 0, Σ x = radius}: subtract one threshold, clip at 0 (Held, Wolfe, Crowder 1974).
void project_simplex(std::span<double> x, double radius);
// Onto {x ≥ 0, Σ x ≤ radius}.
void project_unit_simplex(std::span<double> x, double radius);
// Onto {Σ|x| ≤ radius}: the magnitudes onto the solid simplex, signs kept.
void project_l1(std::span<double> x, double radius);

}  // namespace tarry
