// The permutahedron: the hull of the permutations of (1, 2, …, n).
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Permutahedron {
 public:
  explicit Permutahedron(Index dimension);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, (static_cast<double>(dimension_) + 1) / 2, {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;

 private:
  Index dimension_;
};

static_assert(DecisionSet<Permutahedron>);

}  // namespace tarry
