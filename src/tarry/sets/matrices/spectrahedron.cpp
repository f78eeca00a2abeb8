#include "tarry/sets/matrices/spectrahedron.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/geometry/symmetric.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/projection.h"
#include "tarry/sets/registry.h"

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

}  // namespace tarry
