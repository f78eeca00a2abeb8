#include "tarry/sets/balls/l2_ball.h"

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

L2Ball::L2Ball(Index dimension, double radius) : dimension_(dimension), radius_(radius) {
  check_dimension("l2_ball", dimension);
  check_positive("l2_ball", "radius", radius);
}

SetEntry L2Ball::entry() {
  return {.name = "l2_ball",
          .summary = "‖x‖ ≤ radius",
          .keys = {{"dimension", "a whole number", ""}, {"radius", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return L2Ball{node.dimension(), node.number("radius")};
          },
          .examples = {R"({"type": "l2_ball", "dimension": 5, "radius": 1.2})"}};
}

Atom L2Ball::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  DenseAtom v{Vec(c.size())};
  lp_minimiser(c, 2, radius_, v.value);
  return {std::move(v)};
}

bool L2Ball::contains(std::span<const double> x, double tolerance) const {
  return norm2(x) <= radius_ * (1 + tolerance);
}

void L2Ball::project(std::span<double> x) const {
  const double length = norm2(x);
  if (length <= radius_) return;
  for (double& xi : x) xi *= radius_ / length;
}

std::optional<HalfSpace> L2Ball::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  return HalfSpace{norm_gradient(y, 2), radius_};
}

}  // namespace tarry
