#include "tarry/sets/balls/l1_ball.h"

#include <cmath>

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/projection.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

L1Ball::L1Ball(Index dimension, double radius) : dimension_(dimension), radius_(radius) {
  check_dimension("l1_ball", dimension);
  check_positive("l1_ball", "radius", radius);
}

SetEntry L1Ball::entry() {
  return {.name = "l1_ball",
          .summary = "Σ|x_i| ≤ radius",
          .keys = {{"dimension", "a whole number", ""}, {"radius", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return L1Ball{node.dimension(), node.number("radius")};
          },
          .examples = {R"({"type": "l1_ball", "dimension": 6, "radius": 1.5})",
                       R"({"type": "l1_ball", "dimension": 1, "radius": 2})"}};
}

Atom L1Ball::oracle(const Direction& c) const {
  const Extreme e = c.extreme();
  if (e.value == 0) return {SparseAtom{}};
  return {SparseAtom{{e.at}, {std::copysign(radius_, -e.value)}}};
}

bool L1Ball::contains(std::span<const double> x, double tolerance) const {
  return norm1(x) <= radius_ * (1 + tolerance);
}

void L1Ball::project(std::span<double> x) const { project_l1(x, radius_); }

Inscribed L1Ball::inscribed() const {
  return inscribed_about_zero(dimension_, radius_ / std::sqrt(static_cast<double>(dimension_)));
}

std::optional<HalfSpace> L1Ball::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  return HalfSpace{norm_gradient(y, 1), radius_};
}

}  // namespace tarry
