#include "tarry/geometry/direction.h"

#include "tarry/base/error.h"
#include "tarry/linalg/matrices/svd.h"

namespace tarry {

Extreme Direction::extreme() const { throw Error(Code::kInternal, "direction: no extreme was asked for"); }

std::span<const double> Direction::dense() const {
  throw Error(Code::kInternal, "direction: its dense form was not asked for");
}

TopPair Direction::top_pair(Index rows, Index cols, double) const { return top_singular_pair(dense(), rows, cols); }

const Direction& Direction::block(std::size_t) const { throw Error(Code::kInternal, "direction: has no blocks"); }

}  // namespace tarry
