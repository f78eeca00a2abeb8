// The box: lower_i ≤ x_i ≤ upper_i. One with the same bounds everywhere keeps two numbers.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Box {
 public:
  Box(Vec lower, Vec upper);
  explicit Box(Bounds bounds);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return bounds_.middle(); }
  double diameter() const { return bounds_.diameter(); }
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<Inscribed> inscribed() const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  void project(std::span<double> x) const;
  const Bounds& bounds() const { return bounds_; }

 private:
  Bounds bounds_;
};

static_assert(DecisionSet<Box>);

}  // namespace tarry
