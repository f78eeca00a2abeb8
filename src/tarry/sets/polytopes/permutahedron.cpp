#include "tarry/sets/polytopes/permutahedron.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

Permutahedron::Permutahedron(Index dimension) : dimension_(dimension) { check_dimension("permutahedron", dimension); }

SetEntry Permutahedron::entry() {
  return {.name = "permutahedron",
          .summary = "the hull of the permutations of 1, 2, …, dimension",
          .keys = {{"dimension", "a whole number", ""}},
          .make = [](const spec::Node& node) -> AnySet { return Permutahedron(node.dimension()); },
          .examples = {R"({"type": "permutahedron", "dimension": 5})"}};
}

// Rearrangement: the largest c gets 1, the next 2, and so on.
Atom Permutahedron::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  std::vector<std::size_t> order(c.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return c[a] > c[b]; });
  DenseAtom v{Vec(c.size())};
  for (std::size_t rank = 0; rank < order.size(); ++rank) v.value[order[rank]] = static_cast<double>(rank + 1);
  return {std::move(v)};
}

double Permutahedron::diameter() const {
  const auto n = static_cast<double>(dimension_);
  return std::sqrt(n * (n * n - 1) / 3);
}

// Majorisation (Rado 1952): the k largest entries sum to at most n + (n−1) + … of k terms, all of them to n(n+1)/2.
bool Permutahedron::contains(std::span<const double> x, double tolerance) const {
  if (!all_finite(x)) return false;
  Vec sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const auto n = static_cast<double>(dimension_);
  const double slack = tolerance * n * (n + 1) / 2;
  double have = 0, most = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    have += sorted[k];
    most += n - static_cast<double>(k);
    if (!(have <= most + slack)) return false;
  }
  return std::fabs(have - most) <= slack;
}

// Rado's inequality that is broken by most, along the plane of one sum: the k largest entries against the rest.
std::optional<HalfSpace> Permutahedron::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  const auto n = static_cast<double>(dimension_);
  const double total = n * (n + 1) / 2;
  if (std::fabs(sum(y) - total) > hull_slack(y, total)) return off_sum(y, total);
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return y[a] > y[b]; });
  double have = 0, most = 0, deepest = 0, worst_most = 0;
  std::size_t worst = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    const auto count = static_cast<double>(k);
    have += y[order[k - 1]];
    most += n - count + 1;
    const double depth = (have - most) / std::sqrt(count * (n - count) / n);
    if (depth <= deepest) continue;
    deepest = depth;
    worst = k;
    worst_most = most;
  }
  if (worst == 0) return std::nullopt;
  HalfSpace cut{Vec(y.size(), 0.0), worst_most};
  for (std::size_t k = 0; k < worst; ++k) cut.normal[order[k]] = 1;
  return along_sum(std::move(cut), total);
}

}  // namespace tarry
