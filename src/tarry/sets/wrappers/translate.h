// A set moved by a vector: {x + by : x in the set}.
#pragma once

#include <optional>

#include "tarry/sets/any_set.h"

namespace tarry {

struct SetEntry;

class Translate {
 public:
  Translate(AnySet set, Vec by);
  static SetEntry entry();

  Need need() const { return set_.need() == Need::kTopPair ? Need::kDense : set_.need(); }
  Shape shape() const { return dense_matrices(set_.shape()).starting_at(start().values); }
  Atom oracle(const Direction& c) const { return shifted(set_.oracle(c), by_); }
  Start start() const;
  double diameter() const { return set_.diameter(); }
  bool contains(std::span<const double> x, double tolerance) const;
  std::optional<Inscribed> inscribed() const;
  std::optional<double> strong_convexity() const { return set_.strong_convexity(); }
  std::optional<double> gauge_curvature() const;
  bool can_project() const { return set_.can_project(); }
  void project(std::span<double> x) const;
  bool can_separate() const { return set_.can_separate(); }
  std::optional<HalfSpace> separate(std::span<const double> y) const;
  Start centre() const;

 private:
  static Shape dense_matrices(Shape shape);

  AnySet set_;
  Vec by_;
};

static_assert(DecisionSet<Translate>);

}  // namespace tarry
