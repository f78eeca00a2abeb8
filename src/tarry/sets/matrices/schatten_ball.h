// The Schatten-p ball of matrices, row-major, p ≥ 1: the p-norm of the singular values ≤ radius. Strongly convex for
// 1 < p ≤ 2; p = 1 is the nuclear ball.
#pragma once

#include <optional>

#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class SchattenBall {
 public:
  SchattenBall(Index rows, Index cols, double p, double radius);
  static SetEntry entry();

  Need need() const { return p_ == 1 ? Need::kTopPair : Need::kDense; }
  Shape shape() const { return {need(), start(), {}, cols_}; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {rows_ * cols_, 0, {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const;
  std::optional<double> strong_convexity() const;
  std::optional<double> gauge_curvature() const;
  bool can_project() const { return p_ == 1 || p_ == 2; }
  void project(std::span<double> x) const;

 private:
  double rank() const { return static_cast<double>(std::min(rows_, cols_)); }

  Index rows_;
  Index cols_;
  double p_;
  double radius_;
};

static_assert(DecisionSet<SchattenBall>);

}  // namespace tarry
