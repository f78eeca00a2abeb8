// Full singular value decomposition of a small dense matrix, row-major.
#pragma once

#include <span>

#include "tarry/linalg/covector.h"

namespace tarry {

struct TopPair {
  Vec u;
  Vec w;
  double sigma = 0;
};

TopPair top_singular_pair(std::span<const double> matrix, Index rows, Index cols);

Vec singular_values(std::span<const double> matrix, Index rows, Index cols);  // descending

// Replaces each singular value by change(values)[i]: the matrix stays in place.
void map_singular_values(std::span<double> matrix, Index rows, Index cols, Vec (*change)(Vec values, double argument),
                         double argument);

}  // namespace tarry
