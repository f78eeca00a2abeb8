// The ellipsoid: (x − centre)ᵀ M (x − centre) ≤ 1, by its semi-axes or by M. β_K = a_min/a_max² as in lp_ball.h, since
// m = 1/a_max², and a vector of 2-norm t has gauge at most t/a_min.
#pragma once

#include <optional>

#include "tarry/sets/half_space.h"
#include "tarry/sets/set.h"

namespace tarry {

struct SetEntry;

class Ellipsoid {
 public:
  // Axes along the coordinates: Σ ((x_i − centre_i)/a_i)² ≤ 1.
  Ellipsoid(Vec semi_axes, Vec center);
  // A row-major matrix; its symmetric part is read.
  static Ellipsoid from_matrix(const Vec& matrix, Vec center);
  static SetEntry entry();

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const;
  Start start() const;
  double diameter() const { return 2 * longest_; }
  bool contains(std::span<const double> x, double tolerance) const;
  Inscribed inscribed() const { return {center_, shortest_}; }
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  double strong_convexity() const { return shortest_ / (longest_ * longest_); }
  std::optional<double> gauge_curvature() const;  // when centred

 private:
  Vec in_axes(std::span<const double> x) const;  // coordinates along the axes
  Vec from_axes(std::span<const double> t) const;

  Vec semi_axes_;
  Vec center_;
  Vec rotation_;  // row k is axis k, row-major; empty when the axes are the coordinates'
  double shortest_;
  double longest_;
};

static_assert(DecisionSet<Ellipsoid>);

}  // namespace tarry
