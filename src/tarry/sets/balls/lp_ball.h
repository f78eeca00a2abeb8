// The lp ball, p ≥ 1: (Σ|x_i|^p)^{1/p} ≤ radius. Strongly convex for 1 < p ≤ 2.
//
// From gauge to set: if |λx + (1 − λ)y|² ≤ 1 − mλ(1 − λ)‖x − y‖² for the gauge and all x, y in a set, a vector of gauge
// at most ½mλ(1 − λ)‖x − y‖² may be added to λx + (1 − λ)y. Here m = (p − 1)/r² (Lemma 7 of docs/theory.md), and a
// vector of 2-norm t has gauge at most n^{1/p − 1/2} t/r, so β_K = (p − 1) n^{1/2 − 1/p}/r.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class LpBall {
 public:
  LpBall(Index dimension, double p, double radius);
  static SetEntry entry();

  Need need() const { return p_ == 1 ? Need::kMaxAbs : Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const { return {dimension_, 0, {}}; }
  double diameter() const;
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const;
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  std::optional<double> strong_convexity() const;
  std::optional<double> gauge_curvature() const;
  std::optional<LpShape> lp_shape() const;

 private:
  Index dimension_;
  double p_;
  double radius_;
};

static_assert(DecisionSet<LpBall>);

}  // namespace tarry
