// Stand-ins for a projection onto a set K that never project (Garber and Kretzu 2022): a point outside goes to one that
// is no further from any point of K, or of a smaller copy of K, and that has a feasible point beside it.
#pragma once

#include "tarry/sets/any_set.h"

namespace tarry {

// The smaller copy {c + (1 − share)(z − c) : z ∈ K}, c the set's centre.
struct Shrunk {
  Vec centre;
  double share;  // in (0, 1)
};

// By separation: while a half-space parts y from K, y is projected onto that half-space, shrunk as K is. So y ends in
// K, and no step takes it away from a point of the shrunk K (docs/theory.md, section 20). False, with y at a point of K
// between `from` and where it came to, when there were so many half-spaces that rounding must be at work.
bool cut_into(const AnySet& set, const Shrunk& shrunk, std::span<const double> from, Vec& y);

// By linear oracles: Frank-Wolfe moves x ∈ K towards y; as soon as the gap shows that a half-space parts y from K well,
// y is projected onto that. Ends when they are at most `close` apart. False when that takes more calls than theory
// allows.
bool bring_together(const AnySet& set, double close, Vec& x, Vec& y);

}  // namespace tarry
