// The simplex: x_i ≥ 0, Σ x_i = radius.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Simplex {
 public:
  explicit Simplex(Index dimension, double radius = 1);
  static SetEntry entry();

  Need need() const { return Need::kMin; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, radius_ / static_cast<double>(dimension_), {}}; }
  double diameter() const;
  double simplex_radius() const { return radius_; }
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  void project(std::span<double> x) const;

 private:
  Index dimension_;
  double radius_;
};

static_assert(DecisionSet<Simplex>);

}  // namespace tarry
