// A plain vector as a direction: for oracles that are asked without a track.
#pragma once

#include <vector>

#include "tarry/geometry/shape.h"

namespace tarry {

class DenseDirection final : public Direction {
 public:
  DenseDirection(std::span<const double> c, const Shape& shape);
  Extreme extreme() const override { return extreme_; }
  std::span<const double> dense() const override { return c_; }
  const Direction& block(std::size_t k) const override { return blocks_[k]; }

 private:
  std::span<const double> c_;
  Extreme extreme_;
  std::vector<DenseDirection> blocks_;
};

}  // namespace tarry
