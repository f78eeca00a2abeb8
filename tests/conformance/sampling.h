// Random directions and random points of a set, and plain arithmetic on them in extended precision.
#pragma once

#include <span>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/sets/any_set.h"

namespace tarry::conformance {

long double dot(std::span<const double> x, std::span<const double> y);
long double length(std::span<const double> x);
long double distance(std::span<const double> x, std::span<const double> y);
Vec mix(std::span<const double> x, std::span<const double> y, double share_of_y);  // (1 − s) x + s y
Vec scaled(Vec x, double by);

// How large the set is around the origin: D + ‖start‖.
double size_of(const AnySet& set);

// The oracle's answer to a dense direction, in full.
Vec answer(const AnySet& set, std::span<const double> c);

// Gaussian; now and then sparse, or of few distinct values so that coordinates tie.
Vec random_direction(RandomSequence& random, Index n);
Vec random_unit(RandomSequence& random, Index n);
// Rounded to a coarse grid, all entries drawn from {−1, 0, 1}.
Vec tied_direction(RandomSequence& random, Index n);

// Points of the set: its start, oracle answers, mixtures of them and, where it can project, projections.
class FeasiblePoints {
 public:
  FeasiblePoints(const AnySet& set, RandomSequence& random);

  Vec next();
  Vec vertex() { return vertices_[random_.below(vertices_.size())]; }

 private:
  const AnySet& set_;
  RandomSequence& random_;
  std::vector<Vec> vertices_;  // the start first
};

}  // namespace tarry::conformance
