#include "tarry/sets/separation.h"

#include <cmath>

#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"

namespace tarry {

double HalfSpace::at(std::span<const double> y) const { return kernels::dot(normal, y); }

double HalfSpace::depth(std::span<const double> y) const { return (at(y) - most) / norm2(normal); }

double hull_slack(std::span<const double> y, double size) { return kSeparationTolerance * size + 4e-16 * norm1(y); }

std::optional<HalfSpace> between(std::span<const double> y, std::span<const double> nearest) {
  HalfSpace cut{Vec(y.begin(), y.end()), 0};
  kernels::blend(cut.normal, 1, nearest, -1);
  const double length = norm2(cut.normal);
  if (!(length > 0)) return std::nullopt;
  for (double& a : cut.normal) a /= length;  // a point far outside has a normal whose square overflows
  cut.most = kernels::dot(cut.normal, nearest);
  return cut;
}

HalfSpace along_sum(HalfSpace cut, double total) {
  const double mean = sum(cut.normal) / static_cast<double>(cut.normal.size());
  for (double& a : cut.normal) a -= mean;
  cut.most -= mean * total;
  return cut;
}

HalfSpace off_sum(std::span<const double> y, double total) {
  const double side = sum(y) > total ? 1 : -1;
  return {Vec(y.size(), side), side * total};
}

Vec norm_gradient(std::span<const double> y, double p) {
  Vec normal(y.size(), 0.0);
  if (p == 1) {
    for (std::size_t i = 0; i < y.size(); ++i) normal[i] = y[i] == 0 ? 0 : std::copysign(1.0, y[i]);
    return normal;
  }
  const Vec away(y.begin(), y.end());
  lp_minimiser(away, conjugate(p), 1, normal);
  for (double& a : normal) a = -a;
  return normal;
}

}  // namespace tarry
