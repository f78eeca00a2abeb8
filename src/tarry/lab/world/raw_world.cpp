#include "tarry/lab/world/raw_world.h"

#include "tarry/linalg/dense_kernels.h"

namespace tarry::lab {

RawWorld::RawWorld(const RawStream& stream, Index dimension)
    : stream_(stream), x_(static_cast<std::size_t>(dimension)), b_(x_.size()) {}

Coming RawWorld::answer(Round round, const Model& model, const Model::Outcome& decided) {
  model.write(x_);
  stream_.slope(round, x_, b_);
  const double curvature = stream_.curvature;
  const double loss = kernels::dot(b_, x_) + curvature / 2 * kernels::sum_of_squares(x_);
  gradient_ = b_;
  kernels::blend(gradient_, 1, x_, curvature);
  return {{.round = round, .loss = loss}, Gradient{decided.round, gradient_}};
}

void RawWorld::add_to(Played& played) const {
  played.slope_sum.resize(b_.size(), 0.0);
  kernels::blend(played.slope_sum, 1, b_, 1);
  played.curvature += stream_.curvature;
}

}  // namespace tarry::lab
