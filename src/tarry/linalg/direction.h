// The linear function that an oracle minimises, seen by a set only through what it declared that it needs.
#pragma once

#include <cstdint>
#include <span>

#include "tarry/linalg/covector.h"

namespace tarry {

// The one thing a set's oracle reads of c.
enum class Need : std::uint8_t {
  kMaxAbs,  // the coordinate with the largest |c_i|
  kMin,     // the coordinate with the smallest c_i
  kDense,   // all of c
  kBlocks,  // each block's own need, block by block
};

struct Extreme {  // ties: the lowest index
  Index at = 0;
  double value = 0;  // c at that index
};

class Direction {
 public:
  virtual ~Direction() = default;
  virtual Extreme extreme() const;                      // for kMaxAbs and kMin
  virtual std::span<const double> dense() const;        // for kDense
  virtual const Direction& block(std::size_t k) const;  // for kBlocks
};

}  // namespace tarry
