// The top singular pair of a matrix that is only multiplied with, and a certificate of how far it may be from the top:
// Golub-Kahan-Lanczos from the last pair and a fresh random vector. docs/matrices.md says what is proved and how
// surely.
#pragma once

#include <limits>

#include "tarry/linalg/matrices/linear_map.h"
#include "tarry/linalg/matrices/singular_pair.h"

namespace tarry {

// The chance that a search's certificate is wrong, over its random vector, on which the matrix must not depend.
inline constexpr double kPairFailure = 5e-4;

struct PairSearch {
  double allowed = 0;  // how far below the largest singular value the pair's may be; 0: as near as rounding lets
  std::span<const double> u{};  // a pair to begin with, perhaps shorter than the matrix is by now; empty: none
  std::span<const double> w{};
  std::uint64_t stream = 0;                                  // of the random vector: another for each search …
  double ceiling = std::numeric_limits<double>::infinity();  // of the singular values, where one is known
  std::uint64_t owner = 0;                                   // … and for each who searches
  double chance = kPairFailure;                              // of a wrong certificate, where it is the search's own
};

// The largest δ such that no interval of length 2δ has more than the chance p of containing ⟨z, w⟩, z uniform on the
// unit sphere in n > 1 dimensions; or a bit less.
double spread_of_sphere(std::size_t n, double p);

TopPair find_top_pair(const LinearMap& c, const PairSearch& search);

}  // namespace tarry
