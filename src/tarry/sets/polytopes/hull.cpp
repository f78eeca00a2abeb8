#include "tarry/sets/polytopes/hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/min_norm_point.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"

namespace tarry {
namespace {

Vec minus(std::span<const double> a, std::span<const double> b) {
  Vec difference(a.begin(), a.end());
  kernels::blend(difference, 1, b, -1);
  return difference;
}

AnySet read_hull(const spec::Node& node) {
  std::vector<Vec> vertices;
  for (const spec::Node& vertex : node.at("vertices", "an array of points").list())
    vertices.push_back(vertex.numbers());
  return Hull(std::move(vertices));
}

}  // namespace

Hull::Hull(std::vector<Vec> vertices) : vertices_(std::move(vertices)) {
  if (vertices_.empty()) throw Error(Code::kBadSpec, "hull: vertices must not be empty");
  check_dimension("hull", static_cast<Index>(vertices_.front().size()));
  for (std::size_t j = 0; j < vertices_.size(); ++j) {
    if (vertices_[j].size() != vertices_.front().size())
      throw Error(Code::kBadSpec, fmt::format("hull: every vertex must have {} entries (vertices[{}] has {})",
                                              vertices_.front().size(), j, vertices_[j].size()));
    for (std::size_t i = 0; i < j; ++i) diameter_ = std::max(diameter_, norm2(minus(vertices_[i], vertices_[j])));
  }
}

SetEntry Hull::entry() {
  return {.name = "hull",
          .summary = "the convex hull of listed points",
          .keys = {{"vertices", "an array of points, each an array of numbers", ""}},
          .make = read_hull,
          .examples = {R"({"type": "hull", "vertices": [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3], [1, 1, 1]]})",
                       R"({"type": "hull", "vertices": [[-1, 1], [1, 1], [2, -1]]})"}};
}

Atom Hull::oracle(const Direction& direction) const {
  const auto c = direction.dense();
  std::size_t best = 0;
  double best_value = kernels::dot(c, vertices_[0]);
  for (std::size_t j = 1; j < vertices_.size(); ++j)
    if (const double value = kernels::dot(c, vertices_[j]); value < best_value) {
      best = j;
      best_value = value;
    }
  return {DenseAtom{vertices_[best]}};
}

Start Hull::start() const {
  Vec mean(vertices_.front().size(), 0.0);
  for (const Vec& vertex : vertices_) kernels::blend(mean, 1, vertex, 1 / static_cast<double>(vertices_.size()));
  return {static_cast<Index>(mean.size()), 0, std::move(mean)};
}

bool Hull::contains(std::span<const double> x, double tolerance) const {
  if (!all_finite(x)) return false;
  std::vector<Vec> seen_from_x;
  double size = 0;
  for (const Vec& vertex : vertices_) {
    seen_from_x.push_back(minus(vertex, x));
    size = std::max(size, norm2(vertex));
  }
  return norm2(min_norm_point(seen_from_x)) <= tolerance * size;
}

}  // namespace tarry
