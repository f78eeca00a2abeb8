#include "tarry/sets/matrices/fantope.h"

#include <algorithm>
#include <cmath>

#include "tarry/geometry/symmetric.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"

namespace tarry {

Fantope::Fantope(Index side, Index k) : side_(side), k_(k) {
  check_side("fantope", side);
  check_count("fantope", "k", k, 1, side);
}

SetEntry Fantope::entry() {
  return {
      .name = "fantope",
      .summary = "symmetric matrices with eigenvalues from 0 to 1 and trace k",
      .keys = {{"dimension", "a whole number: of rows, and of columns", ""},
               {"k", "a whole number from 1 to dimension", ""}},
      .make = [](const spec::Node& node) -> AnySet {
        return Fantope{node.at("dimension", "a whole number").integer(), node.at("k", "a whole number").integer()};
      },
      .examples = {R"({"type": "fantope", "dimension": 3, "k": 2})", R"({"type": "fantope", "dimension": 4, "k": 1})"}};
}

// The projection on the eigenvectors of the k least eigenvalues of c's symmetric part.
Atom Fantope::oracle(const Direction& direction) const {
  if (k_ == side_) return {DenseAtom{start().values}};  // the identity alone
  const Vec ones(static_cast<std::size_t>(k_), 1.0);
  return {DenseAtom{from_eigenpairs(symmetric_eigenpairs(direction.dense(), side_), ones)}};
}

Start Fantope::start() const { return scaled_identity(side_, static_cast<double>(k_) / static_cast<double>(side_)); }

double Fantope::diameter() const { return std::sqrt(2.0 * static_cast<double>(std::min(k_, side_ - k_))); }

bool Fantope::contains(std::span<const double> x, double tolerance) const {
  if (!all_finite(x) || !is_symmetric(x, side_, tolerance)) return false;
  const Vec values = symmetric_eigenpairs(x, side_).values;
  const auto k = static_cast<double>(k_);
  return values.front() >= -tolerance && values.back() <= 1 + tolerance && std::fabs(sum(values) - k) <= tolerance * k;
}

}  // namespace tarry
