// The l1 ball: Σ|x_i| ≤ radius.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class L1Ball {
 public:
  L1Ball(Index dimension, double radius);
  static SetEntry entry();

  Need need() const { return Need::kMaxAbs; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, 0, {}}; }
  double diameter() const { return 2 * radius_; }
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  void project(std::span<double> x) const;
  LpShape lp_shape() const { return {1, radius_}; }

 private:
  Index dimension_;
  double radius_;
};

static_assert(DecisionSet<L1Ball>);

}  // namespace tarry
