#include "tarry/lab/world/raw_world.h"

#include "tarry/linalg/dense_kernels.h"

namespace tarry::lab {

RawWorld::RawWorld(const RawStream& stream, Index dimension)
    : stream_(stream), x_(static_cast<std::size_t>(dimension)), b_(x_.size()), slope_sum_(x_.size(), 0.0) {}

Coming RawWorld::answer(Round round, const Model& model, const Model::Outcome& decided) {
  model.write(x_);
  stream_.slope(round, x_, b_);
  const double curvature = stream_.curvature;
  const double loss = kernels::dot(b_, x_) + curvature / 2 * kernels::sum_of_squares(x_);
  kernels::blend(slope_sum_, 1, b_, 1);
  curvature_ += curvature;
  kernels::blend(b_, 1, x_, curvature);  // now the gradient at x
  return {{.round = round, .loss = loss}, Gradient{decided.round, b_}};
}

void RawWorld::sum_up(Played& played) const {
  played.slope_sum = slope_sum_;
  played.curvature = curvature_;
}

}  // namespace tarry::lab
