// A set multiplied by a positive number: {by · x : x in the set}.
#pragma once

#include <optional>

#include "tarry/sets/any_set.h"

namespace tarry {

struct SetEntry;

class Scale {
 public:
  Scale(AnySet set, double by);
  static SetEntry entry();

  Need need() const { return set_.need(); }
  Shape shape() const { return scaled_shape(set_.shape()); }
  Atom oracle(const Direction& c) const { return scaled(set_.oracle(c), by_); }
  Start start() const { return scaled_shape({Need::kDense, set_.start(), {}}).start; }
  double diameter() const { return by_ * set_.diameter(); }
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<Inscribed> inscribed() const;
  std::optional<double> strong_convexity() const;
  std::optional<double> gauge_curvature() const;
  std::optional<LpShape> lp_shape() const;
  std::optional<Bounds> bounds() const;
  std::optional<double> simplex_radius() const;
  SparseAtom without_cycles(SparseAtom v) const { return set_.without_cycles(std::move(v)); }
  bool can_project() const { return set_.can_project(); }
  void project(std::span<double> x) const;
  bool can_separate() const { return set_.can_separate(); }
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  Start centre() const;

 private:
  Shape scaled_shape(Shape shape) const;

  AnySet set_;
  double by_;
};

static_assert(DecisionSet<Scale>);

}  // namespace tarry
