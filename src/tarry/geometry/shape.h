// What tracks and directions must know of a set: its dimension, where it starts, what its oracle reads; block by block
// for a product.
#pragma once

#include <vector>

#include "tarry/geometry/direction.h"

namespace tarry {

// The size of a decision in full; throws Error{kUnsupported} where no machine could hold it.
std::size_t full_size(Index dimension);
inline Vec full_vector(Index dimension, double value = 0) { return Vec(full_size(dimension), value); }

// A point to start at: the same number everywhere, or a full vector.
struct Start {
  Index dimension = 0;
  double everywhere = 0;
  Vec values;  // empty: `everywhere`

  Vec dense() const { return values.empty() ? full_vector(dimension, everywhere) : values; }
};

struct Shape {
  Need need = Need::kDense;
  Start start;                // of a product, only its dimension: the blocks have their own
  std::vector<Shape> blocks;  // for Need::kBlocks
  Index cols = 0;             // for Need::kTopPair: of the matrix, row-major

  bool has_matrix() const;  // whether a block, or all of it, needs a top pair
  // The same shape, starting at x.
  Shape starting_at(const Vec& x) const;
};

// Where a shape starts, in full, and how far from the origin.
Vec start_point(const Shape& shape);
double start_norm(const Shape& shape);

}  // namespace tarry
