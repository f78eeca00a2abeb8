// The k-sparse polytope: Σ|x_i| ≤ k·radius and |x_i| ≤ radius; the hull of ±radius on k coordinates.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class KSparse {
 public:
  KSparse(Index dimension, Index k, double radius);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, 0, {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;

 private:
  Index dimension_;
  Index k_;
  double radius_;
};

static_assert(DecisionSet<KSparse>);

}  // namespace tarry
