#include "tarry/sets/matrices/schatten_ball.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/linalg/matrices/svd.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/matrices/nuclear_ball.h"
#include "tarry/sets/registry.h"

namespace tarry {

SchattenBall::SchattenBall(Index rows, Index cols, double p, double radius)
    : rows_(rows), cols_(cols), p_(p), radius_(radius) {
  check_matrix("schatten_ball", rows, cols);
  check_at_least("schatten_ball", "p", p, 1);
  check_positive("schatten_ball", "radius", radius);
}

SetEntry SchattenBall::entry() {
  return {.name = "schatten_ball",
          .summary = "matrices whose singular values have a p-norm ≤ radius",
          .keys = {{"rows", "a whole number", ""},
                   {"cols", "a whole number", ""},
                   {"p", "a number of at least 1", ""},
                   {"radius", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return SchattenBall{node.at("rows", "a whole number").integer(),
                                node.at("cols", "a whole number").integer(), node.number("p"), node.number("radius")};
          },
          .examples = {R"({"type": "schatten_ball", "rows": 3, "cols": 2, "p": 1.5, "radius": 2})",
                       R"({"type": "schatten_ball", "rows": 2, "cols": 3, "p": 1, "radius": 1.5})",
                       R"({"type": "schatten_ball", "rows": 2, "cols": 2, "p": 2, "radius": 0.7})",
                       R"({"type": "schatten_ball", "rows": 3, "cols": 3, "p": 3, "radius": 1})"}};
}

// c = Σ σ_k u_k w_kᵀ: the best matrix has the same singular vectors, and singular values as the lp ball's best point.
Atom SchattenBall::oracle(const Direction& direction) const {
  if (p_ == 1) return NuclearBall(rows_, cols_, radius_).oracle(direction);
  const auto c = direction.dense();
  DenseAtom v{Vec(c.begin(), c.end())};
  map_singular_values(v.value, rows_, cols_, [this](Vec sigma) {
    Vec best(sigma.size());
    lp_minimiser(sigma, p_, radius_, best);
    return best;
  });
  return {std::move(v)};
}

double SchattenBall::diameter() const { return 2 * radius_ * tarry::pow(rank(), std::max(0.0, 0.5 - 1 / p_)); }

bool SchattenBall::contains(std::span<const double> x, double tolerance) const {
  return all_finite(x) && norm(singular_values(x, rows_, cols_), p_) <= radius_ * (1 + tolerance);
}

std::optional<double> SchattenBall::strong_convexity() const {
  if (!(p_ > 1 && p_ <= 2)) return std::nullopt;
  return (p_ - 1) * tarry::pow(rank(), 0.5 - 1 / p_) / radius_;
}

std::optional<double> SchattenBall::gauge_curvature() const {
  if (!(p_ > 1 && p_ <= 2)) return std::nullopt;
  return (p_ - 1) / (radius_ * radius_);
}

void SchattenBall::project(std::span<double> x) const {
  if (p_ == 1) return NuclearBall(rows_, cols_, radius_).project(x);
  const double size = norm2(x);
  if (size > radius_)
    for (double& xi : x) xi *= radius_ / size;
}

Inscribed SchattenBall::inscribed() const {
  return inscribed_about_zero(rows_ * cols_, radius_ / (p_ < 2 ? tarry::pow(rank(), 1 / p_ - 0.5) : 1));
}

}  // namespace tarry
