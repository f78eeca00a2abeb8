#include "tarry/geometry/perturbed_direction.h"

#include "tarry/linalg/dense_kernels.h"

namespace tarry {

PerturbedDirection::PerturbedDirection(std::span<const double> g, std::span<const float> z, double scale,
                                       const Shape& shape) {
  const kernels::Perturbed c{g, z, scale};
  if (shape.need == Need::kMaxAbs || shape.need == Need::kMin) {
    extreme_ = kernels::extreme(c, shape.need);
    return;
  }
  c_.resize(g.size());
  kernels::write(c, c_);
  whole_.emplace(c_, shape);
}

}  // namespace tarry
