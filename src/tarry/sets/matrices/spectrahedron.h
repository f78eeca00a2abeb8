// The spectrahedron: symmetric positive semidefinite matrices of a given trace, row-major.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Spectrahedron {
 public:
  Spectrahedron(Index side, double trace);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;  // trace/side on the diagonal
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  void project(std::span<double> x) const;

 private:
  Index side_;
  double trace_;
};

static_assert(DecisionSet<Spectrahedron>);

}  // namespace tarry
