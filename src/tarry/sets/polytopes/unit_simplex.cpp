#include "tarry/sets/polytopes/unit_simplex.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/projection.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

UnitSimplex::UnitSimplex(Index dimension, double radius) : dimension_(dimension), radius_(radius) {
  check_dimension("unit_simplex", dimension);
  check_positive("unit_simplex", "radius", radius);
}

SetEntry UnitSimplex::entry() {
  return {.name = "unit_simplex",
          .summary = "x_i ≥ 0, Σ x_i ≤ radius",
          .keys = {{"dimension", "a whole number", ""}, {"radius", "a positive number", "1"}},
          .make = [](const spec::Node& node) -> AnySet {
            return UnitSimplex{node.dimension(), node.number_or("radius", 1)};
          },
          .examples = {R"({"type": "unit_simplex", "dimension": 4, "radius": 1.5})"}};
}

Atom UnitSimplex::oracle(const Direction& c) const {
  const Extreme e = c.extreme();
  if (e.value >= 0) return {SparseAtom{}};  // the origin
  return {SparseAtom{{e.at}, {radius_}}};
}

double UnitSimplex::diameter() const { return dimension_ == 1 ? radius_ : std::numbers::sqrt2 * radius_; }

bool UnitSimplex::contains(std::span<const double> x, double tolerance) const {
  const double slack = tolerance * radius_;
  return std::all_of(x.begin(), x.end(), [&](double xi) { return xi >= -slack; }) && sum(x) <= radius_ + slack;
}

void UnitSimplex::project(std::span<double> x) const { project_unit_simplex(x, radius_); }

// As far from Σ x_i = radius as from every x_i = 0: t with (radius − n t)/√n = t.
Inscribed UnitSimplex::inscribed() const {
  const auto n = static_cast<double>(dimension_);
  const double t = radius_ / (n + std::sqrt(n));
  return {full_vector(dimension_, t), t};
}

std::optional<HalfSpace> UnitSimplex::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  if (std::all_of(y.begin(), y.end(), [&](double x) { return x >= -kSeparationTolerance * radius_; }))
    return HalfSpace{Vec(y.size(), 1.0), radius_};
  Vec nearest(y.begin(), y.end());
  for (double& x : nearest) x = std::max(x, 0.0);
  return between(y, nearest);
}

}  // namespace tarry
