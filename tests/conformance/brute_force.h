// The minimum of ⟨c, ·⟩ over a set, found from its specification alone and by another route than the library's:
// polytopes by trying every vertex, curved sets by their dual norm in extended precision.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "tarry/base/random.h"
#include "tarry/sets/any_set.h"
#include "tarry/spec/value.h"

namespace tarry::conformance {

using Reference = std::function<long double(std::span<const double> c)>;

// Nothing for a type that has no reference here, or when it would try too many vertices.
std::optional<Reference> reference_minimum(const spec::Value& set);

// For any set, by membership alone: walks downhill from the start in random directions of the affine hull, as far as
// contains() allows. The true minimum is at most this; in a few dimensions it is close.
long double climbed_minimum(const AnySet& set, std::span<const double> c, RandomSequence& random, int steps);

}  // namespace tarry::conformance
