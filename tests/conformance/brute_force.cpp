#include "conformance/brute_force.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "conformance/all_vertices.h"
#include "conformance/sampling.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/node.h"

namespace tarry::conformance {
namespace {

using Real = long double;
using Reals = std::vector<Real>;
using spec::Node;

constexpr Index kMaxSubsets = 16;      // of 2^16 coordinates' subsets
constexpr Index kMaxPermutations = 8;  // of 8! orders
constexpr Real kHuge = std::numeric_limits<Real>::infinity();

// ---- polytopes: every vertex

Reference over_vertices(std::vector<Vec> vertices) {
  return [vertices = std::move(vertices)](std::span<const double> c) {
    Real least = kHuge;
    for (const Vec& v : vertices) least = std::min(least, dot(c, v));
    return least;
  };
}

Vec unit_vector(Index n, Index at, double value) {
  Vec v(static_cast<std::size_t>(n), 0.0);
  v[static_cast<std::size_t>(at)] = value;
  return v;
}

std::vector<Vec> signed_axes(Index n, double radius) {
  std::vector<Vec> vertices;
  for (Index i = 0; i < n; ++i)
    for (double r : {radius, -radius}) vertices.push_back(unit_vector(n, i, r));
  return vertices;
}

std::vector<Vec> corners(const Vec& lower, const Vec& upper) {
  std::vector<Vec> vertices;
  for (std::size_t mask = 0; mask < std::size_t{1} << lower.size(); ++mask) {
    Vec v = lower;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (mask >> i & 1) v[i] = upper[i];
    vertices.push_back(std::move(v));
  }
  return vertices;
}

// 0/1 vectors with k ones.
std::vector<Vec> subsets(Index n, Index k) {
  std::vector<Vec> vertices;
  for (std::size_t mask = 0; mask < std::size_t{1} << n; ++mask) {
    if (std::popcount(mask) != k) continue;
    Vec v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<double>(mask >> i & 1);
    vertices.push_back(std::move(v));
  }
  return vertices;
}

std::optional<Reference> l1_ball(const Node& node) {
  return over_vertices(signed_axes(node.dimension(), node.number("radius")));
}

std::optional<Reference> linf_ball(const Node& node) {
  const Vec upper(static_cast<std::size_t>(node.dimension()), node.number("radius"));
  if (node.dimension() > kMaxSubsets) return std::nullopt;
  return over_vertices(corners(scaled(upper, -1), upper));
}

std::optional<Reference> box(const Node& node) {
  const auto bound = [&](const char* key) {
    const Node given = node.at(key);
    return given.is_number() ? Vec(static_cast<std::size_t>(node.dimension()), given.number()) : given.numbers();
  };
  const Vec lower = bound("lower");
  if (static_cast<Index>(lower.size()) > kMaxSubsets) return std::nullopt;
  return over_vertices(corners(lower, bound("upper")));
}

std::optional<Reference> simplex(const Node& node) {
  std::vector<Vec> vertices;
  for (Index i = 0; i < node.dimension(); ++i)
    vertices.push_back(unit_vector(node.dimension(), i, node.number_or("radius", 1)));
  return over_vertices(std::move(vertices));
}

std::optional<Reference> unit_simplex(const Node& node) {
  std::vector<Vec> vertices{Vec(static_cast<std::size_t>(node.dimension()), 0.0)};
  for (Index i = 0; i < node.dimension(); ++i)
    vertices.push_back(unit_vector(node.dimension(), i, node.number_or("radius", 1)));
  return over_vertices(std::move(vertices));
}

std::optional<Reference> hypersimplex(const Node& node) {
  if (node.dimension() > kMaxSubsets) return std::nullopt;
  return over_vertices(subsets(node.dimension(), node.at("k").integer()));
}

std::optional<Reference> k_sparse(const Node& node) {
  const Index n = node.dimension(), k = node.at("k").integer();
  if (n + k > kMaxSubsets) return std::nullopt;
  std::vector<Vec> vertices;
  for (const Vec& chosen : subsets(n, k)) {
    const Vec upper = scaled(chosen, node.number("radius"));
    for (Vec& v : corners(scaled(upper, -1), upper)) vertices.push_back(std::move(v));
  }
  return over_vertices(std::move(vertices));
}

std::optional<Reference> permutahedron(const Node& node) {
  if (node.dimension() > kMaxPermutations) return std::nullopt;
  Vec order(static_cast<std::size_t>(node.dimension()));
  std::iota(order.begin(), order.end(), 1.0);
  std::vector<Vec> vertices;
  do vertices.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return over_vertices(std::move(vertices));
}

std::optional<Reference> hull(const Node& node) {
  std::vector<Vec> vertices;
  for (const Node& vertex : node.at("vertices").list()) vertices.push_back(vertex.numbers());
  return over_vertices(std::move(vertices));
}

std::optional<Reference> by_all_vertices(const Node& node) {
  auto vertices = all_vertices(node);
  if (!vertices) return std::nullopt;
  return over_vertices(std::move(*vertices));
}

// ---- curved sets: the dual norm

Real dual_norm(const Reals& c, Real p) {  // ‖c‖_q with 1/p + 1/q = 1
  Real largest = 0;
  for (Real ci : c) largest = std::max(largest, std::fabs(ci));
  if (p == 1 || largest == 0) return largest;
  const Real q = p / (p - 1);
  Real sum = 0;
  for (Real ci : c) sum += std::pow(std::fabs(ci) / largest, q);
  return largest * std::pow(sum, 1 / q);
}

std::optional<Reference> lp_ball_of(Real p, Real radius) {
  return [=](std::span<const double> c) { return -radius * dual_norm(Reals(c.begin(), c.end()), p); };
}

std::optional<Reference> l2_ball(const Node& node) { return lp_ball_of(2, node.number("radius")); }

std::optional<Reference> lp_ball(const Node& node) { return lp_ball_of(node.number("p"), node.number("radius")); }

std::optional<Reference> group_ball(const Node& node) {
  std::vector<std::vector<Index>> groups;
  for (const Node& group : node.at("groups").list()) groups.push_back(group.integers());
  return [=, p = node.number("p"), radius = node.number("radius")](std::span<const double> c) {
    Real most = 0;
    for (const auto& group : groups) {
      Reals part;
      for (Index i : group) part.push_back(c[static_cast<std::size_t>(i)]);
      most = std::max(most, dual_norm(part, p));
    }
    return -radius * most;
  };
}

// xᵀ with M x = c, by elimination with pivots.
Reals solve(std::vector<Reals> m, Reals c) {
  const std::size_t n = c.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
    std::swap(m[k], m[pivot]);
    std::swap(c[k], c[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      c[i] -= factor * c[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) c[k] /= m[k][k];
  return c;
}

// ⟨c, centre⟩ − √(cᵀ M⁻¹ c), from the Lagrange condition c = −λ M (x − centre).
std::optional<Reference> ellipsoid(const Node& node) {
  std::vector<Reals> m;
  if (const auto axes = node.find("semi_axes")) {
    const Vec a = axes->numbers();
    for (std::size_t k = 0; k < a.size(); ++k) {
      m.emplace_back(a.size(), 0);
      m.back()[k] = 1 / (static_cast<Real>(a[k]) * a[k]);
    }
  } else {
    for (const Node& row : node.at("matrix").list()) {
      const Vec entries = row.numbers();
      m.emplace_back(entries.begin(), entries.end());
    }
    for (std::size_t i = 0; i < m.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) m[i][j] = m[j][i] = (m[i][j] + m[j][i]) / 2;
  }
  const Vec center = node.has("center") ? node.numbers("center") : Vec(m.size(), 0.0);
  return [=](std::span<const double> c) {
    const Reals x = solve(m, Reals(c.begin(), c.end()));
    Real square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) square += x[i] * c[i];
    return dot(c, center) - std::sqrt(square);
  };
}

// Eigenvalues of a symmetric matrix by Jacobi's rotations.
Reals eigenvalues(std::vector<Reals> m) {
  const std::size_t n = m.size();
  for (int sweep = 0; sweep < 60; ++sweep)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) {
        if (m[i][j] == 0) continue;
        const Real ratio = (m[j][j] - m[i][i]) / (2 * m[i][j]);
        const Real tangent = std::copysign(1 / (std::fabs(ratio) + std::sqrt(ratio * ratio + 1)), ratio);
        const Real cosine = 1 / std::sqrt(tangent * tangent + 1), sine = tangent * cosine;
        for (std::size_t k = 0; k < n; ++k) {
          const Real left = m[k][i], right = m[k][j];
          m[k][i] = cosine * left - sine * right;
          m[k][j] = sine * left + cosine * right;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const Real upper = m[i][k], under = m[j][k];
          m[i][k] = cosine * upper - sine * under;
          m[j][k] = sine * upper + cosine * under;
        }
      }
  Reals values;
  for (std::size_t k = 0; k < n; ++k) values.push_back(m[k][k]);
  return values;
}

Reals singular_values_of(std::span<const double> c, Index rows, Index cols) {
  const auto p = static_cast<std::size_t>(rows), q = static_cast<std::size_t>(cols);
  std::vector<Reals> square(q, Reals(q, 0));  // CᵀC
  for (std::size_t i = 0; i < q; ++i)
    for (std::size_t j = 0; j < q; ++j)
      for (std::size_t k = 0; k < p; ++k) square[i][j] += static_cast<Real>(c[k * q + i]) * c[k * q + j];
  Reals values = eigenvalues(square);
  for (Real& value : values) value = std::sqrt(std::max<Real>(0, value));
  return values;
}

std::optional<Reference> schatten(const Node& node, Real p) {
  const Index rows = node.at("rows").integer(), cols = node.at("cols").integer();
  return [=, radius = node.number("radius")](std::span<const double> c) {
    return -radius * dual_norm(singular_values_of(c, rows, cols), p);
  };
}

std::optional<Reference> nuclear_ball(const Node& node) { return schatten(node, 1); }

std::optional<Reference> schatten_ball(const Node& node) { return schatten(node, node.number("p")); }

// `weight` times the sum of the k least eigenvalues of the symmetric part.
std::optional<Reference> least_eigenvalues(Index side, Index k, double weight) {
  const auto n = static_cast<std::size_t>(side);
  return [=](std::span<const double> c) {
    std::vector<Reals> m(n, Reals(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) m[i][j] = (static_cast<Real>(c[i * n + j]) + c[j * n + i]) / 2;
    Reals values = eigenvalues(m);
    std::sort(values.begin(), values.end());
    return weight * std::accumulate(values.begin(), values.begin() + k, Real{0});
  };
}

std::optional<Reference> spectrahedron(const Node& node) {
  return least_eigenvalues(node.dimension(), 1, node.number("trace"));
}

std::optional<Reference> fantope(const Node& node) {
  return least_eigenvalues(node.dimension(), node.at("k").integer(), 1);
}

// ---- sets made of sets

std::optional<Reference> inner_set(const Node& node) { return reference_minimum(node.at("set").value()); }

std::optional<Reference> translate(const Node& node) {
  const auto inner = inner_set(node);
  if (!inner) return std::nullopt;
  return [inner = *inner, by = node.numbers("by")](std::span<const double> c) { return inner(c) + dot(c, by); };
}

std::optional<Reference> scale(const Node& node) {
  const auto inner = inner_set(node);
  if (!inner) return std::nullopt;
  return [inner = *inner, by = node.number("by")](std::span<const double> c) {
    return inner(scaled(Vec(c.begin(), c.end()), by));
  };
}

std::optional<Reference> product(const Node& node) {
  std::vector<Reference> parts;
  std::vector<std::size_t> sizes;
  for (const Node& part : node.at("parts").list()) {
    const auto reference = reference_minimum(part.value());
    if (!reference) return std::nullopt;
    parts.push_back(*reference);
    sizes.push_back(static_cast<std::size_t>(make_set(part).dimension()));
  }
  return [=](std::span<const double> c) {
    Real total = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      total += parts[k](c.first(sizes[k]));
      c = c.subspan(sizes[k]);
    }
    return total;
  };
}

const std::map<std::string, std::optional<Reference> (*)(const Node&)>& references() {
  static const std::map<std::string, std::optional<Reference> (*)(const Node&)> table = {
      {"l1_ball", l1_ball},
      {"l2_ball", l2_ball},
      {"linf_ball", linf_ball},
      {"lp_ball", lp_ball},
      {"box", box},
      {"simplex", simplex},
      {"unit_simplex", unit_simplex},
      {"ellipsoid", ellipsoid},
      {"hypersimplex", hypersimplex},
      {"k_sparse", k_sparse},
      {"group_ball", group_ball},
      {"permutahedron", permutahedron},
      {"nuclear_ball", nuclear_ball},
      {"schatten_ball", schatten_ball},
      {"spectrahedron", spectrahedron},
      {"fantope", fantope},
      {"hull", hull},
      {"budget", by_all_vertices},
      {"flow", by_all_vertices},
      {"birkhoff", by_all_vertices},
      {"spanning_tree", by_all_vertices},
      {"matching", by_all_vertices},
      {"polytope", by_all_vertices},
      {"product", product},
      {"translate", translate},
      {"scale", scale},
      {"cached", inner_set},
  };
  return table;
}

}  // namespace

std::optional<Reference> reference_minimum(const spec::Value& set) {
  const Node node(set, "set");
  const auto entry = references().find(node.type());
  return entry == references().end() ? std::nullopt : entry->second(node);
}

long double climbed_minimum(const AnySet& set, std::span<const double> c, RandomSequence& random, int steps) {
  constexpr double kInside = 1e-12;
  FeasiblePoints points(set, random);
  Vec x = set.start().dense();
  for (int step = 0; step < steps; ++step) {
    // A difference of two points stays in the affine hull; smaller and smaller ones find their way into corners.
    const Vec from = points.next(), to = points.next();
    Vec away(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) away[i] = to[i] - from[i];
    if (dot(c, away) > 0) away = scaled(away, -1);
    double most = 1;
    for (int half = 0; half < 40; ++half, most /= 2) {
      Vec there = x;
      for (std::size_t i = 0; i < x.size(); ++i) there[i] += most * away[i];
      if (!set.contains(there, kInside)) continue;
      x = there;
      break;
    }
  }
  return dot(c, x);
}

}  // namespace tarry::conformance
