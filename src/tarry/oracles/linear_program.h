// The constraints of a linear program: row_lower ≤ A x ≤ row_upper and lower ≤ x ≤ upper; a bound may be infinite.
#pragma once

#include <limits>
#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry::oracles {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct Entry {
  Index row;
  Index col;
  double value;
};

struct LinearProgram {
  Vec row_lower, row_upper;
  Vec lower, upper;
  std::vector<Entry> entries;  // of A, sorted by column and row, none twice

  std::size_t rows() const { return row_lower.size(); }
  std::size_t cols() const { return lower.size(); }
};

}  // namespace tarry::oracles
