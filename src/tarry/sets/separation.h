// What the answers of several sets to `separate` are made of.
#pragma once

#include <optional>
#include <span>

#include "tarry/sets/half_space.h"

namespace tarry {

// A point this close to a set, relative to its size, counts as inside: nothing separates it.
inline constexpr double kSeparationTolerance = 1e-12;

// How far off its affine hull a point of a set of this size may be: a point far outside is rounded by more.
double hull_slack(std::span<const double> y, double size);

// Between y and its nearest point of a convex set around this one; null where they agree to the bit.
std::optional<HalfSpace> between(std::span<const double> y, std::span<const double> nearest);

// Of points of one sum only what a normal says beside that sum counts: the same half-space, its normal along the plane.
HalfSpace along_sum(HalfSpace cut, double total);

// The side of the plane Σ = total on which y is not, for points off that plane.
HalfSpace off_sum(std::span<const double> y, double total);

// The unit vector of the dual norm that holds ‖z‖_p ≤ radius at y: ⟨normal, z⟩ ≤ ‖z‖_p, with equality at y.
Vec norm_gradient(std::span<const double> y, double p);

}  // namespace tarry
