#include "tarry/sets/matrices/nuclear_ball.h"

#include <algorithm>
#include <cmath>

#include "tarry/linalg/matrices/svd.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/projection.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

NuclearBall::NuclearBall(Index rows, Index cols, double radius) : rows_(rows), cols_(cols), radius_(radius) {
  check_matrix("nuclear_ball", rows, cols);
  check_positive("nuclear_ball", "radius", radius);
}

SetEntry NuclearBall::entry() {
  return {.name = "nuclear_ball",
          .summary = "matrices with sum of singular values ≤ radius",
          .keys = {{"rows", "a whole number", ""}, {"cols", "a whole number", ""}, {"radius", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return NuclearBall{node.at("rows", "a whole number").integer(), node.at("cols", "a whole number").integer(),
                               node.number("radius")};
          },
          .examples = {R"({"type": "nuclear_ball", "rows": 3, "cols": 2, "radius": 1.5})",
                       R"({"type": "nuclear_ball", "rows": 2, "cols": 4, "radius": 3})"}};
}

Atom NuclearBall::oracle(const Direction& direction) const {
  TopPair top = direction.top_pair(rows_, cols_, direction.slack() * diameter() / radius_);
  return {RankOne{-radius_, std::move(top.u), std::move(top.w), top.rows.empty() ? 0 : cols_, std::move(top.rows),
                  std::move(top.cols)}};
}

bool NuclearBall::contains(std::span<const double> x, double tolerance) const {
  return all_finite(x) && sum(singular_values(x, rows_, cols_)) <= radius_ * (1 + tolerance);
}

void NuclearBall::project(std::span<double> x) const {
  map_singular_values(x, rows_, cols_, [this](Vec values) {
    project_l1(values, radius_);
    return values;
  });
}

Inscribed NuclearBall::inscribed() const {
  return inscribed_about_zero(rows_ * cols_, radius_ / std::sqrt(static_cast<double>(std::min(rows_, cols_))));
}

// Σ u_k w_kᵀ over the singular vectors of y: its spectral norm is 1.
std::optional<HalfSpace> NuclearBall::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  HalfSpace cut{Vec(y.begin(), y.end()), radius_};
  map_singular_values(cut.normal, rows_, cols_, [](const Vec& values) { return norm_gradient(values, 1); });
  return cut;
}

}  // namespace tarry
