// The bounds of a box: one pair of numbers where they are the same in every coordinate, whatever the dimension; a pair
// for each coordinate otherwise.
#pragma once

#include "tarry/geometry/shape.h"

namespace tarry {

// lower_i ≤ x_i ≤ upper_i.
class Bounds {
 public:
  Bounds(Vec lower, Vec upper);  // of one length
  static Bounds everywhere(Index dimension, double lower, double upper);

  Index dimension() const { return dimension_; }
  bool uniform() const { return step_ == 0; }
  double lower(Index i) const { return lower_[static_cast<std::size_t>(i) * step_]; }
  double upper(Index i) const { return upper_[static_cast<std::size_t>(i) * step_]; }
  double width(Index i) const { return upper(i) - lower(i); }
  double centre(Index i) const { return lower(i) + width(i) / 2; }

  Start middle() const;
  double diameter() const;
  Bounds times(double by) const;  // by > 0

 private:
  Bounds() = default;

  Index dimension_ = 0;
  std::size_t step_ = 0;  // 0: the first pair is everybody's; else 1
  Vec lower_, upper_;
};

}  // namespace tarry
