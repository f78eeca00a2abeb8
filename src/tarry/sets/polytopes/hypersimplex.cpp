#include "tarry/sets/polytopes/hypersimplex.h"

#include <algorithm>
#include <cmath>

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/choose.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

Hypersimplex::Hypersimplex(Index dimension, Index k) : dimension_(dimension), k_(k) {
  check_dimension("hypersimplex", dimension);
  check_count("hypersimplex", "k", k, 1, dimension);
}

SetEntry Hypersimplex::entry() {
  return {.name = "hypersimplex",
          .summary = "0 ≤ x_i ≤ 1, Σ x_i = k",
          .keys = {{"dimension", "a whole number", ""}, {"k", "a whole number from 1 to dimension", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return Hypersimplex{node.dimension(), node.at("k", "a whole number").integer()};
          },
          .examples = {R"({"type": "hypersimplex", "dimension": 6, "k": 2})"}};
}

Atom Hypersimplex::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  auto chosen = choose_largest(dimension_, k_, [&](Index i) { return -c[static_cast<std::size_t>(i)]; });
  Vec ones(chosen.size(), 1.0);
  return {SparseAtom{std::move(chosen), std::move(ones)}};
}

double Hypersimplex::diameter() const { return std::sqrt(2.0 * static_cast<double>(std::min(k_, dimension_ - k_))); }

bool Hypersimplex::contains(std::span<const double> x, double tolerance) const {
  return std::all_of(x.begin(), x.end(), [&](double xi) { return xi >= -tolerance && xi <= 1 + tolerance; }) &&
         std::fabs(sum(x) - static_cast<double>(k_)) <= tolerance * static_cast<double>(k_);
}

std::optional<HalfSpace> Hypersimplex::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  const auto k = static_cast<double>(k_);
  if (std::fabs(sum(y) - k) > hull_slack(y, k)) return off_sum(y, k);
  Vec nearest(y.begin(), y.end());
  for (double& x : nearest) x = std::clamp(x, 0.0, 1.0);
  auto cut = between(y, nearest);
  return cut ? std::optional(along_sum(std::move(*cut), k)) : std::nullopt;
}

}  // namespace tarry
