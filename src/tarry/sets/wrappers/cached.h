// Another set that remembers its last answers. A direction that comes again, to the bit, is not asked again: for
// oracles that are expensive and shared by models that see the same events.
//
// Differs from caches in the literature on lazy Frank-Wolfe: a remembered vertex that is merely good enough never
// answers. It would make a decision depend on what others asked this set before, which no snapshot of a learner knows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tarry/sets/any_set.h"

namespace tarry {

struct SetEntry;

class Cached {
 public:
  explicit Cached(AnySet set);
  static SetEntry entry();

  Need need() const { return set_.need(); }
  Shape shape() const { return set_.shape(); }
  Atom oracle(const Direction& c) const;  // any thread may ask
  Start start() const { return set_.start(); }
  double diameter() const { return set_.diameter(); }
  bool contains(std::span<const double> x, double tolerance) const { return set_.contains(x, tolerance); }
  std::optional<double> strong_convexity() const { return set_.strong_convexity(); }
  std::optional<double> gauge_curvature() const { return set_.gauge_curvature(); }
  std::optional<Inscribed> inscribed() const { return set_.inscribed(); }
  std::optional<LpShape> lp_shape() const { return set_.lp_shape(); }
  std::optional<Bounds> bounds() const { return set_.bounds(); }
  std::optional<double> simplex_radius() const { return set_.simplex_radius(); }
  std::vector<AnySet> parts() const { return set_.parts(); }
  SparseAtom without_cycles(SparseAtom v) const { return set_.without_cycles(std::move(v)); }
  bool can_project() const { return set_.can_project(); }
  void project(std::span<double> x) const { set_.project(x); }
  bool can_separate() const { return set_.can_separate(); }
  std::optional<HalfSpace> separate(std::span<const double> y) const { return set_.separate(y); }
  Start centre() const { return set_.centre(); }

 private:
  struct Memory;
  AnySet set_;
  std::shared_ptr<Memory> memory_;  // shared by copies, as the set is
};

static_assert(DecisionSet<Cached>);

}  // namespace tarry
