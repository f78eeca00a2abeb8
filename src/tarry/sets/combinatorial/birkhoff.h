// The Birkhoff polytope: size × size matrices, row-major, of non-negative numbers whose rows and columns sum to 1;
// mixtures of assignments.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
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
  std::optional<HalfSpace> separate(std::span<const double> y) const;

 private:
  struct Sums;
  Sums sums(std::span<const double> m, double each) const;

  Index size_;
};

static_assert(DecisionSet<Birkhoff>);

}  // namespace tarry
