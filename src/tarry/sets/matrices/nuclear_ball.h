// The nuclear-norm (trace-norm) ball of matrices, row-major: the sum of singular values ≤ radius.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class NuclearBall {
 public:
  NuclearBall(Index rows, Index cols, double radius);
  static SetEntry entry();

  Need need() const { return Need::kTopPair; }
  Shape shape() const { return {need(), start(), {}, cols_}; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {rows_ * cols_, 0, {}}; }
  double diameter() const { return 2 * radius_; }
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  void project(std::span<double> x) const;

 private:
  Index rows_;
  Index cols_;
  double radius_;
};

static_assert(DecisionSet<NuclearBall>);

}  // namespace tarry
