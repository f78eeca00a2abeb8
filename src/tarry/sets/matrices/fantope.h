// The Fantope: symmetric matrices, row-major, with eigenvalues from 0 to 1 and trace k: the hull of the projections on
// k-dimensional subspaces.
#pragma once

#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Fantope {
 public:
  Fantope(Index side, Index k);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;  // k/side on the diagonal
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;

 private:
  Index side_;
  Index k_;
};

static_assert(DecisionSet<Fantope>);

}  // namespace tarry
