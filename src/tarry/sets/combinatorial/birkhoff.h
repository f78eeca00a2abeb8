// The Birkhoff polytope: size × size matrices, row-major, of non-negative numbers whose rows and columns sum to 1;
// mixtures of assignments.
#pragma once

#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Birkhoff {
 public:
  explicit Birkhoff(Index size);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {size_ * size_, 1 / static_cast<double>(size_), {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;

 private:
  Index size_;
};

static_assert(DecisionSet<Birkhoff>);

}  // namespace tarry
