// Full singular value decomposition of a small dense matrix, row-major.
#pragma once

#include <functional>
#include <span>

#include "tarry/linalg/matrices/singular_pair.h"

namespace tarry {

// matrix = Σ sigma_k u_k w_kᵀ, descending; u_k and w_k one after the other.
struct ThinSvd {
  Vec u;
  Vec w;
  Vec sigma;
};

ThinSvd thin_svd(std::span<const double> matrix, Index rows, Index cols);

TopPair top_singular_pair(std::span<const double> matrix, Index rows, Index cols);

Vec singular_values(std::span<const double> matrix, Index rows, Index cols);  // descending

// Replaces each singular value by change(values)[i]: the matrix stays in place.
void map_singular_values(std::span<double> matrix, Index rows, Index cols,
                         const std::function<Vec(Vec values)>& change);

}  // namespace tarry
