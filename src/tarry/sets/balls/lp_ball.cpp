#include "tarry/sets/balls/lp_ball.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

LpBall::LpBall(Index dimension, double p, double radius) : dimension_(dimension), p_(p), radius_(radius) {
  check_dimension("lp_ball", dimension);
  check_at_least("lp_ball", "p", p, 1);
  check_positive("lp_ball", "radius", radius);
}

SetEntry LpBall::entry() {
  return {.name = "lp_ball",
          .summary = "(Σ|x_i|^p)^{1/p} ≤ radius",
          .keys = {{"dimension", "a whole number", ""},
                   {"p", "a number of at least 1", ""},
                   {"radius", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return LpBall{node.dimension(), node.number("p"), node.number("radius")};
          },
          .examples = {R"({"type": "lp_ball", "dimension": 5, "p": 1.5, "radius": 2})",
                       R"({"type": "lp_ball", "dimension": 4, "p": 1, "radius": 1})",
                       R"({"type": "lp_ball", "dimension": 4, "p": 1.05, "radius": 1})",
                       R"({"type": "lp_ball", "dimension": 4, "p": 3, "radius": 1.3})"}};
}

Atom LpBall::oracle(const Direction& direction) const {
  if (p_ == 1) {
    const Extreme e = direction.extreme();
    if (e.value == 0) return {SparseAtom{}};
    return {SparseAtom{{e.at}, {std::copysign(radius_, -e.value)}}};
  }
  const auto c = direction.dense();
  DenseAtom v{Vec(c.size())};
  lp_minimiser(c, p_, radius_, v.value);
  return {std::move(v)};
}

double LpBall::diameter() const {
  return 2 * radius_ * tarry::pow(static_cast<double>(dimension_), std::max(0.0, 0.5 - 1 / p_));
}

bool LpBall::contains(std::span<const double> x, double tolerance) const {
  return norm(x, p_) <= radius_ * (1 + tolerance);
}

std::optional<double> LpBall::strong_convexity() const {
  if (!(p_ > 1 && p_ <= 2)) return std::nullopt;
  return (p_ - 1) * tarry::pow(static_cast<double>(dimension_), 0.5 - 1 / p_) / radius_;
}

std::optional<LpShape> LpBall::lp_shape() const {
  if (p_ > 2) return std::nullopt;
  return LpShape{p_, radius_};
}

std::optional<double> LpBall::gauge_curvature() const {
  if (!(p_ > 1 && p_ <= 2)) return std::nullopt;
  return (p_ - 1) / (radius_ * radius_);
}

// ‖x‖_p ≤ n^{1/p − 1/2} ‖x‖ for p ≤ 2, and ≤ ‖x‖ for larger p.
Inscribed LpBall::inscribed() const {
  const double widest = p_ < 2 ? tarry::pow(static_cast<double>(dimension_), 1 / p_ - 0.5) : 1;
  return inscribed_about_zero(dimension_, radius_ / widest);
}

std::optional<HalfSpace> LpBall::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  return HalfSpace{norm_gradient(y, p_), radius_};
}

}  // namespace tarry
