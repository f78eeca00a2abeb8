// A direction ĝ − scale · z with z in single precision. Where the set reads one coordinate, it is never formed.
#pragma once

#include <optional>

#include "tarry/geometry/dense_direction.h"

namespace tarry {

class PerturbedDirection final : public Direction {
 public:
  PerturbedDirection(std::span<const double> g, std::span<const float> z, double scale, const Shape& shape);
  Extreme extreme() const override { return extreme_; }
  std::span<const double> dense() const override { return whole_->dense(); }
  const Direction& block(std::size_t k) const override { return whole_->block(k); }

 private:
  Extreme extreme_;
  Vec c_;
  std::optional<DenseDirection> whole_;  // over c_
};

}  // namespace tarry
