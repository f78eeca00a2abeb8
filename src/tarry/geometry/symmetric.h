// Eigenvalues and eigenvectors of the symmetric part of a small dense matrix, row-major.
#pragma once

#include <span>

#include "tarry/geometry/shape.h"

namespace tarry {

struct Eigenpairs {
  Vec values;   // ascending
  Vec vectors;  // unit, one after the other

  std::span<const double> vector(std::size_t k) const {
    return std::span(vectors).subspan(k * values.size(), values.size());
  }
};

Eigenpairs symmetric_eigenpairs(std::span<const double> matrix, Index size);

// Σ weights_k v_k v_kᵀ over the first eigenvectors, row-major.
Vec from_eigenpairs(const Eigenpairs& pairs, std::span<const double> weights);

// Whether opposite entries differ by at most `most`.
bool is_symmetric(std::span<const double> matrix, Index side, double most);

// `diagonal` times the identity, as a start.
Start scaled_identity(Index side, double diagonal);

}  // namespace tarry
