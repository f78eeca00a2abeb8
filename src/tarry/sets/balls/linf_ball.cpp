#include "tarry/sets/balls/linf_ball.h"

#include <algorithm>
#include <cmath>

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

LinfBall::LinfBall(Index dimension, double radius) : dimension_(dimension), radius_(radius) {
  check_dimension("linf_ball", dimension);
  check_positive("linf_ball", "radius", radius);
}

SetEntry LinfBall::entry() {
  return {.name = "linf_ball",
          .summary = "|x_i| ≤ radius",
          .keys = {{"dimension", "a whole number", ""}, {"radius", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return LinfBall{node.dimension(), node.number("radius")};
          },
          .examples = {R"({"type": "linf_ball", "dimension": 4, "radius": 0.8})"}};
}

Atom LinfBall::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  DenseAtom v{Vec(c.size())};
  for (std::size_t i = 0; i < c.size(); ++i) v.value[i] = c[i] == 0 ? 0 : std::copysign(radius_, -c[i]);
  return {std::move(v)};
}

double LinfBall::diameter() const { return 2 * radius_ * std::sqrt(static_cast<double>(dimension_)); }

bool LinfBall::contains(std::span<const double> x, double tolerance) const {
  return max_abs(x) <= radius_ * (1 + tolerance);
}

void LinfBall::project(std::span<double> x) const {
  for (double& xi : x) xi = std::clamp(xi, -radius_, radius_);
}

std::optional<HalfSpace> LinfBall::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  Vec nearest(y.begin(), y.end());
  project(nearest);
  return between(y, nearest);
}

}  // namespace tarry
