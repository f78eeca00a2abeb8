// Rows whose labels follow a sparse linear rule.
#pragma once

#include "tarry/data/formats/dataset.h"

namespace tarry::lab {

using data::Dataset;

struct SparseRule {
  Index dimension = 0;
  Index non_zeros = 0;   // of the true weights w, each ±1/non_zeros: ‖w‖₁ = 1
  Index density = 0;     // features of a row, each ±1
  double noise = 0;      // standard deviation of what is added to ⟨features, w⟩
  bool of_sign = false;  // the label is the sign of that, −1 or +1
};

// The first rows do not depend on how many are asked for.
Dataset sparse_regression(const SparseRule& rule, std::size_t rows, std::uint64_t seed);

}  // namespace tarry::lab
