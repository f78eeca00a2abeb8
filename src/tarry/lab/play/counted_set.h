// A set that counts its oracle calls.
#pragma once

#include <atomic>
#include <memory>

#include "tarry/sets/any_set.h"

namespace tarry::lab {

class CountedSet {
 public:
  using Counter = std::shared_ptr<std::atomic<std::uint64_t>>;
  CountedSet(AnySet set, Counter calls) : set_(std::move(set)), calls_(std::move(calls)) {}

  Need need() const { return set_.need(); }
  Shape shape() const { return set_.shape(); }
  Atom oracle(const Direction& c) const {
    calls_->fetch_add(1, std::memory_order_relaxed);
    return set_.oracle(c);
  }
  Start start() const { return set_.start(); }
  double diameter() const { return set_.diameter(); }
  bool contains(std::span<const double> x, double tolerance) const { return set_.contains(x, tolerance); }
  std::optional<double> strong_convexity() const { return set_.strong_convexity(); }
  std::optional<double> gauge_curvature() const { return set_.gauge_curvature(); }
  std::optional<Inscribed> inscribed() const { return set_.inscribed(); }
  std::optional<LpShape> lp_shape() const { return set_.lp_shape(); }
  std::optional<Bounds> bounds() const { return set_.bounds(); }
  std::optional<double> simplex_radius() const { return set_.simplex_radius(); }
  std::vector<AnySet> parts() const {
    std::vector<AnySet> parts;
    for (AnySet& part : set_.parts()) parts.push_back(CountedSet(std::move(part), calls_));
    return parts;
  }
  SparseAtom without_cycles(SparseAtom v) const { return set_.without_cycles(std::move(v)); }
  bool can_project() const { return set_.can_project(); }
  void project(std::span<double> x) const { set_.project(x); }
  bool can_separate() const { return set_.can_separate(); }
  std::optional<HalfSpace> separate(std::span<const double> y) const { return set_.separate(y); }
  Start centre() const { return set_.centre(); }

 private:
  AnySet set_;
  Counter calls_;
};

static_assert(DecisionSet<CountedSet>);

}  // namespace tarry::lab
