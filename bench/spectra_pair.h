// The rival of linalg/matrices/top_pair.h in C++: Spectra's restarted Lanczos on cᵀc, which is only multiplied with.
#pragma once

#include "tarry/geometry/direction.h"
#include "tarry/linalg/matrices/linear_map.h"

namespace tarry::bench {

// The top singular pair, its value at most `error` of itself too small by Spectra's own estimate; 0: all digits.
// `vectors` is how many it keeps before it restarts.
TopPair spectra_pair(const LinearMap& c, double error, int vectors);

}  // namespace tarry::bench
