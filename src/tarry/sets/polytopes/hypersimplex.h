// The hypersimplex: 0 ≤ x_i ≤ 1, Σ x_i = k; its vertices choose k of n.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Hypersimplex {
 public:
  Hypersimplex(Index dimension, Index k);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, static_cast<double>(k_) / static_cast<double>(dimension_), {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;

 private:
  Index dimension_;
  Index k_;
};

static_assert(DecisionSet<Hypersimplex>);

}  // namespace tarry
