#include "tarry/sets/polytopes/k_sparse.h"

#include <algorithm>
#include <cmath>

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/choose.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

KSparse::KSparse(Index dimension, Index k, double radius) : dimension_(dimension), k_(k), radius_(radius) {
  check_dimension("k_sparse", dimension);
  check_count("k_sparse", "k", k, 1, dimension);
  check_positive("k_sparse", "radius", radius);
}

SetEntry KSparse::entry() {
  return {.name = "k_sparse",
          .summary = "Σ|x_i| ≤ k·radius, |x_i| ≤ radius",
          .keys = {{"dimension", "a whole number", ""},
                   {"k", "a whole number from 1 to dimension", ""},
                   {"radius", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return KSparse{node.dimension(), node.at("k", "a whole number").integer(), node.number("radius")};
          },
          .examples = {R"({"type": "k_sparse", "dimension": 5, "k": 2, "radius": 1.5})"}};
}

Atom KSparse::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  const auto at = [&](Index i) { return c[static_cast<std::size_t>(i)]; };
  SparseAtom v{choose_largest(dimension_, k_, [&](Index i) { return std::fabs(at(i)); }), {}};
  for (Index i : v.at) v.value.push_back(at(i) == 0 ? 0 : std::copysign(radius_, -at(i)));
  return {std::move(v)};
}

double KSparse::diameter() const { return 2 * radius_ * std::sqrt(static_cast<double>(k_)); }

bool KSparse::contains(std::span<const double> x, double tolerance) const {
  return max_abs(x) <= radius_ * (1 + tolerance) && norm1(x) <= static_cast<double>(k_) * radius_ * (1 + tolerance);
}

Inscribed KSparse::inscribed() const {
  const double by_sum = static_cast<double>(k_) / std::sqrt(static_cast<double>(dimension_));
  return inscribed_about_zero(dimension_, radius_ * std::min(1.0, by_sum));
}

std::optional<HalfSpace> KSparse::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  if (max_abs(y) <= radius_ * (1 + kSeparationTolerance))
    return HalfSpace{norm_gradient(y, 1), static_cast<double>(k_) * radius_};
  Vec nearest(y.begin(), y.end());
  for (double& x : nearest) x = std::clamp(x, -radius_, radius_);
  return between(y, nearest);
}

}  // namespace tarry
