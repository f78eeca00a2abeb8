// The linear function that an oracle minimises, seen by a set only through what it declared that it needs.
#pragma once

#include <cstdint>
#include <span>

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

// A unit vector for each side and uᵀ c w, at most `short_by` below the largest singular value.
struct TopPair {
  Vec u;
  Vec w;
  double sigma = 0;
  double short_by = 0;
  std::vector<Index> rows{}, cols{};  // where u and w are, and zero elsewhere; empty: they are whole
};

class Direction {
 public:
  virtual ~Direction() = default;
  virtual Extreme extreme() const;                      // for kMaxAbs and kMin
  virtual std::span<const double> dense() const;        // for kDense
  virtual const Direction& block(std::size_t k) const;  // for kBlocks
  // For kTopPair, and wherever there is a dense form, of which it is exact.
  virtual TopPair top_pair(Index rows, Index cols, double allowed_short) const;
  // How far ⟨c, v⟩ may be from least, for each unit of the set's diameter.
  virtual double slack() const { return 0; }
};

}  // namespace tarry
