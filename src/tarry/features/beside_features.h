// How many of a row's features have products, and how many may bend, where nobody says. Over several classes each of
// these has a weight for every class, so there are the fewer of them, the more classes there are.
#pragma once

#include <algorithm>

#include "tarry/features/bends.h"
#include "tarry/features/products.h"

namespace tarry {

// The first so many, of `features`.
inline Index multiplied_unasked(Index features, Index classes) {
  constexpr Index kMost = 256;  // features × classes
  return std::min({features, Products::kMost, classes > 1 ? kMost / classes : features});
}

inline Index bent_unasked(Index features, Index classes) {
  constexpr Index kMost = 64;  // tiles cost most: several entries for each pair
  return std::min({features, Bends::kMost, classes > 1 ? kMost / classes : features});
}

}  // namespace tarry
