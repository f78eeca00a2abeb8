#include "tarry/geometry/dense_direction.h"

#include "tarry/linalg/dense_kernels.h"

namespace tarry {

DenseDirection::DenseDirection(std::span<const double> c, const Shape& shape) : c_(c) {
  if (shape.need == Need::kMaxAbs || shape.need == Need::kMin) extreme_ = kernels::extreme(c, shape.need);
  std::size_t begin = 0;
  for (const Shape& block : shape.blocks) {
    const auto size = static_cast<std::size_t>(block.start.dimension);
    blocks_.emplace_back(c.subspan(begin, size), block);
    begin += size;
  }
}

}  // namespace tarry
