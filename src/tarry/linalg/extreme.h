// What is looked for in a direction c, and the coordinate that a search for an extreme finds.
#pragma once

#include <cstdint>

#include "tarry/linalg/covector.h"

namespace tarry {

// The one thing a set's oracle reads of c.
enum class Need : std::uint8_t {
  kMaxAbs,   // the coordinate with the largest |c_i|
  kMin,      // the coordinate with the smallest c_i
  kDense,    // all of c
  kTopPair,  // the top singular pair of c as a matrix
  kBlocks,   // each block's own need, block by block
};

struct Extreme {  // ties: the lowest index
  Index at = 0;
  double value = 0;  // c at that index
};

}  // namespace tarry
