// A half-space that holds a set: what `separate` answers for a point outside.
#pragma once

#include <span>

#include "tarry/linalg/covector.h"

namespace tarry {

// ⟨normal, z⟩ ≤ most for every z of the set; normal is not 0.
struct HalfSpace {
  Vec normal;
  double most;

  double at(std::span<const double> y) const;     // ⟨normal, y⟩
  double depth(std::span<const double> y) const;  // how far y is outside: its distance to the half-space
};

}  // namespace tarry
