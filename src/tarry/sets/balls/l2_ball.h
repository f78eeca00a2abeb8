// The Euclidean ball: ‖x‖ ≤ radius.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class L2Ball {
 public:
  L2Ball(Index dimension, double radius);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, 0, {}}; }
  double diameter() const { return 2 * radius_; }
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const { return inscribed_about_zero(dimension_, radius_); }
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  double strong_convexity() const { return 1 / radius_; }
  double gauge_curvature() const { return 1 / (radius_ * radius_); }
  LpShape lp_shape() const { return {2, radius_}; }
  void project(std::span<double> x) const;

 private:
  Index dimension_;
  double radius_;
};

static_assert(DecisionSet<L2Ball>);

}  // namespace tarry
