#include "tarry/learners/descent/infeasible_projection.h"

#include <algorithm>
#include <cmath>

#include "tarry/geometry/dense_direction.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

constexpr std::size_t kMostCuts = 20000;
// A set far from the origin cannot tell its points better: what is left of y to cut, and where y has to be by then.
constexpr double kCutRounding = 1e-13, kCutInside = 1e-10;
constexpr int kHalvings = 60;

Vec difference(std::span<const double> a, std::span<const double> b) {
  Vec d(a.begin(), a.end());
  kernels::blend(d, 1, b, -1);
  return d;
}

}  // namespace

bool cut_into(const AnySet& set, const Shrunk& shrunk, std::span<const double> from, Vec& y) {
  for (std::size_t cuts = 0; cuts < kMostCuts; ++cuts) {
    auto cut = set.separate(y);
    if (!cut) return true;
    const double length = norm2(cut->normal);
    for (double& a : cut->normal) a /= length;
    const double most = cut->most / length, at = cut->at(y);
    if (at - most <= kCutRounding * norm2(y) && set.contains(y, kCutInside)) return true;
    kernels::blend(y, 1, cut->normal, (1 - shrunk.share) * most + shrunk.share * cut->at(shrunk.centre) - at);
  }
  const Vec way = difference(y, from);
  double inside = 0, outside = 1;
  for (int step = 0; step < kHalvings; ++step) {
    const double middle = (inside + outside) / 2;
    std::copy(from.begin(), from.end(), y.begin());
    kernels::blend(y, 1, way, middle);
    (set.separate(y) ? outside : inside) = middle;
  }
  std::copy(from.begin(), from.end(), y.begin());
  kernels::blend(y, 1, way, inside);
  return false;
}

bool bring_together(const AnySet& set, double close, Vec& x, Vec& y) {
  const Shape shape = set.shape();
  const double ratio = set.diameter() / close;
  const double most_calls = 8 * ratio * ratio + 2000;  // 4D²/e + 1 + log₂(h/D²), and as much again for rounding
  Vec v(x.size());
  for (double calls = 0; calls <= most_calls; calls += 1) {
    Vec u = difference(x, y);
    const double apart = norm2(u);
    if (apart <= close) return true;
    for (double& ui : u) ui /= apart;
    write(set.oracle(DenseDirection(u, shape)), v);
    const Vec to_v = difference(v, x);
    const double gap = std::max(0.0, -kernels::dot(u, to_v));  // ⟨u, z⟩ ≥ ⟨u, x⟩ − gap for every z of K
    if (gap <= apart / 2) {
      std::copy(x.begin(), x.end(), y.begin());
      kernels::blend(y, 1, u, -gap);
      continue;
    }
    const double width = norm2(to_v);
    kernels::blend(x, 1, to_v, std::min(1.0, gap / width * (apart / width)));
  }
  return false;
}

}  // namespace tarry
