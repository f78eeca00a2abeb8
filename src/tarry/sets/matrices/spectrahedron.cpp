#include "tarry/sets/matrices/spectrahedron.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/geometry/symmetric.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/projection.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {

Spectrahedron::Spectrahedron(Index side, double trace) : side_(side), trace_(trace) {
  check_side("spectrahedron", side);
  check_positive("spectrahedron", "trace", trace);
}

SetEntry Spectrahedron::entry() {
  return {.name = "spectrahedron",
          .summary = "symmetric positive semidefinite matrices of the given trace",
          .keys = {{"dimension", "a whole number: of rows, and of columns", ""}, {"trace", "a positive number", ""}},
          .make = [](const spec::Node& node) -> AnySet {
            return Spectrahedron{node.at("dimension", "a whole number").integer(), node.number("trace")};
          },
          .examples = {R"({"type": "spectrahedron", "dimension": 3, "trace": 1.5})",
                       R"({"type": "spectrahedron", "dimension": 2, "trace": 1})"}};
}

// trace · v vᵀ with v the eigenvector of the least eigenvalue of c's symmetric part.
Atom Spectrahedron::oracle(const Direction& direction) const {
  const Eigenpairs pairs = symmetric_eigenpairs(direction.dense(), side_);
  const auto v = pairs.vector(0);
  return {RankOne{trace_, Vec(v.begin(), v.end()), Vec(v.begin(), v.end())}};
}

Start Spectrahedron::start() const { return scaled_identity(side_, trace_ / static_cast<double>(side_)); }

double Spectrahedron::diameter() const { return side_ > 1 ? std::numbers::sqrt2 * trace_ : 0; }

bool Spectrahedron::contains(std::span<const double> x, double tolerance) const {
  const double slack = tolerance * trace_;
  if (!all_finite(x) || !is_symmetric(x, side_, slack)) return false;
  const Vec values = symmetric_eigenpairs(x, side_).values;
  return values.front() >= -slack && std::fabs(sum(values) - trace_) <= slack;
}

void Spectrahedron::project(std::span<double> x) const {
  Eigenpairs pairs = symmetric_eigenpairs(x, side_);
  Vec values = pairs.values;
  project_simplex(values, trace_);
  const Vec projected = from_eigenpairs(pairs, values);
  std::copy(projected.begin(), projected.end(), x.begin());
}

// What is not symmetric or has another trace goes back to where that is so; then the negative eigenvalues are outside.
std::optional<HalfSpace> Spectrahedron::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  const auto n = static_cast<std::size_t>(side_);
  Vec off(y.size()), diagonal(n);
  for (std::size_t i = 0; i < n; ++i) diagonal[i] = y[i * n + i];
  const double each = (sum(diagonal) - trace_) / static_cast<double>(side_);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) off[i * n + j] = i == j ? each : y[i * n + j] / 2 - y[j * n + i] / 2;
  if (norm2(off) > hull_slack(y, trace_)) return HalfSpace{std::move(off), each * trace_};
  const Eigenpairs pairs = symmetric_eigenpairs(y, side_);
  Vec values = pairs.values;
  for (double& value : values) value = std::min(value, 0.0);
  const double length = norm2(values), mean = sum(values) / length / static_cast<double>(side_);
  if (!(length > 0)) return std::nullopt;
  for (double& value : values) value /= length;
  HalfSpace cut{from_eigenpairs(pairs, values), -mean * trace_};
  for (std::size_t i = 0; i < n; ++i) cut.normal[i * n + i] -= mean;
  return cut;
}

}  // namespace tarry
