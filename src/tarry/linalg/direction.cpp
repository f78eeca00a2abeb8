#include "tarry/linalg/direction.h"

#include "tarry/error.h"
#include "tarry/linalg/dense_kernels.h"

namespace tarry {

Extreme Direction::extreme() const { throw Error(Code::kInternal, "direction: no extreme was asked for"); }

std::span<const double> Direction::dense() const {
  throw Error(Code::kInternal, "direction: its dense form was not asked for");
}

DenseDirection::DenseDirection(std::span<const double> c, Need need) : c_(c) {
  if (need != Need::kDense) extreme_ = kernels::extreme(c, need);
}

}  // namespace tarry
