// One singular pair of a matrix, as an oracle over matrices needs it.
#pragma once

#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

// A unit vector for each side and uᵀ c w, at most `short_by` below the largest singular value.
struct TopPair {
  Vec u;
  Vec w;
  double sigma = 0;
  double short_by = 0;
  std::vector<Index> rows{}, cols{};  // where u and w are, and zero elsewhere; empty: they are whole
};

}  // namespace tarry
