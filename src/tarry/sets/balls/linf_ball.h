// The cube: |x_i| ≤ radius.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class LinfBall {
 public:
  LinfBall(Index dimension, double radius);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, 0, {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const { return inscribed_about_zero(dimension_, radius_); }
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  void project(std::span<double> x) const;
  Bounds bounds() const { return Bounds::everywhere(dimension_, -radius_, radius_); }

 private:
  Index dimension_;
  double radius_;
};

static_assert(DecisionSet<LinfBall>);

}  // namespace tarry
