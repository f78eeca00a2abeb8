// The solid simplex: x_i ≥ 0, Σ x_i ≤ radius.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class UnitSimplex {
 public:
  explicit UnitSimplex(Index dimension, double radius = 1);
  static SetEntry entry();

  Need need() const { return Need::kMin; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, 0, {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  Start centre() const { return {dimension_, radius_ / (static_cast<double>(dimension_) + 1), {}}; }
  void project(std::span<double> x) const;

 private:
  Index dimension_;
  double radius_;
};

static_assert(DecisionSet<UnitSimplex>);

}  // namespace tarry
