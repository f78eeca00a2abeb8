#include "conformance/sampling.h"

#include <algorithm>
#include <cmath>

#include "tarry/geometry/dense_direction.h"

namespace tarry::conformance {
namespace {

constexpr int kVertices = 64;

}  // namespace

long double dot(std::span<const double> x, std::span<const double> y) {
  long double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<long double>(x[i]) * y[i];
  return sum;
}

long double length(std::span<const double> x) { return std::sqrt(dot(x, x)); }

long double distance(std::span<const double> x, std::span<const double> y) {
  long double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double away = static_cast<long double>(x[i]) - y[i];
    sum += away * away;
  }
  return std::sqrt(sum);
}

Vec mix(std::span<const double> x, std::span<const double> y, double share_of_y) {
  Vec point(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) point[i] = (1 - share_of_y) * x[i] + share_of_y * y[i];
  return point;
}

Vec scaled(Vec x, double by) {
  for (double& xi : x) xi *= by;
  return x;
}

double size_of(const AnySet& set) { return set.diameter() + static_cast<double>(length(set.start().dense())); }

Vec answer(const AnySet& set, std::span<const double> c) {
  Vec v(c.size());
  write(set.oracle(DenseDirection(c, set.shape())), v);
  return v;
}

Vec tied_direction(RandomSequence& random, Index n) {
  Vec c(static_cast<std::size_t>(n));
  for (double& ci : c) ci = static_cast<double>(random.below(3)) - 1;
  return c;
}

Vec random_direction(RandomSequence& random, Index n) {
  const double kind = random.uniform();
  if (kind < 0.1) return tied_direction(random, n);
  const bool sparse = kind < 0.2;
  Vec c(static_cast<std::size_t>(n));
  for (double& ci : c) ci = sparse && random.uniform() < 0.6 ? 0 : random.gaussian();
  return c;
}

Vec random_unit(RandomSequence& random, Index n) {
  Vec z(static_cast<std::size_t>(n));
  for (double& zi : z) zi = random.gaussian();
  return scaled(z, static_cast<double>(1 / length(z)));
}

FeasiblePoints::FeasiblePoints(const AnySet& set, RandomSequence& random) : set_(set), random_(random) {
  vertices_.push_back(set.start().dense());
  for (int i = 0; i < kVertices; ++i) vertices_.push_back(answer(set, random_direction(random, set.dimension())));
}

Vec FeasiblePoints::next() {
  if (set_.can_project() && random_.uniform() < 0.3) {
    Vec x = scaled(random_unit(random_, set_.dimension()), random_.uniform(0, 3) * size_of(set_));
    set_.project(x);
    return x;
  }
  Vec x = vertex();
  for (int others = static_cast<int>(random_.below(4)); others > 0; --others) x = mix(x, vertex(), random_.uniform());
  return x;
}

}  // namespace tarry::conformance
