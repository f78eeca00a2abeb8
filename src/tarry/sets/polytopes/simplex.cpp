#include "tarry/sets/polytopes/simplex.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/projection.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

Simplex::Simplex(Index dimension, double radius) : dimension_(dimension), radius_(radius) {
  check_dimension("simplex", dimension);
  check_positive("simplex", "radius", radius);
}

SetEntry Simplex::entry() {
  return {
      .name = "simplex",
      .summary = "x_i ≥ 0, Σ x_i = radius",
      .keys = {{"dimension", "a whole number", ""}, {"radius", "a positive number", "1"}},
      .make = [](const spec::Node& node) -> AnySet {
        return Simplex{node.dimension(), node.number_or("radius", 1)};
      },
      .examples = {R"({"type": "simplex", "dimension": 6})", R"({"type": "simplex", "dimension": 3, "radius": 2.5})"}};
}

Atom Simplex::oracle(const Direction& c) const { return {SparseAtom{{c.extreme().at}, {radius_}}}; }

double Simplex::diameter() const { return dimension_ == 1 ? 0 : std::numbers::sqrt2 * radius_; }

bool Simplex::contains(std::span<const double> x, double tolerance) const {
  const double slack = tolerance * radius_;
  return std::all_of(x.begin(), x.end(), [&](double xi) { return xi >= -slack; }) &&
         std::fabs(sum(x) - radius_) <= slack;
}

void Simplex::project(std::span<double> x) const { project_simplex(x, radius_); }

// Points off the plane go back to it; on it, what is negative is.
std::optional<HalfSpace> Simplex::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  if (std::fabs(sum(y) - radius_) > hull_slack(y, radius_)) return off_sum(y, radius_);
  Vec nearest(y.begin(), y.end());
  for (double& x : nearest) x = std::max(x, 0.0);
  auto cut = between(y, nearest);
  return cut ? std::optional(along_sum(std::move(*cut), radius_)) : std::nullopt;
}

}  // namespace tarry
