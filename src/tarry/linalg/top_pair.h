// The top singular pair of a matrix that is only multiplied with, and a certificate of how far it may be from the top:
// Golub-Kahan-Lanczos from the last pair and a fresh random vector. docs/matrices.md says what is proved and how
// surely.
#pragma once

#include <limits>

#include "tarry/linalg/linear_map.h"
#include "tarry/linalg/singular_pair.h"

namespace tarry {

struct PairSearch {
  double allowed = 0;  // how far below the largest singular value the pair's may be; 0: as near as rounding lets
  std::span<const double> u{};  // a pair to begin with, perhaps shorter than the matrix is by now; empty: none
  std::span<const double> w{};
  std::uint64_t stream = 0;                                  // of the random vector: another for each search
  double ceiling = std::numeric_limits<double>::infinity();  // of the singular values, where one is known
};

// The chance that the certificate is wrong, over the random vector, on which the matrix must not depend. Half is this
// search's own, half is left for the search that a known ceiling came from.
inline constexpr double kPairFailure = 1e-3;

TopPair find_top_pair(const LinearMap& c, const PairSearch& search);

}  // namespace tarry
