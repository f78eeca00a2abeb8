#include "tarry/sets/balls/ellipsoid.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/checks.h"
#include "tarry/sets/registry.h"
#include "tarry/sets/separation.h"

namespace tarry {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A matrix as an array of rows.
Vec read_matrix(const spec::Node& node) {
  Vec flat;
  const std::vector<spec::Node> rows = node.list("an array of arrays of numbers");
  for (const spec::Node& row : rows) {
    const Vec entries = row.numbers();
    if (entries.size() != rows.size())
      row.fail(fmt::format("{} numbers, as many as there are rows, but has {}", rows.size(), entries.size()));
    flat.insert(flat.end(), entries.begin(), entries.end());
  }
  return flat;
}

AnySet read_ellipsoid(const spec::Node& node) {
  const auto axes = node.find("semi_axes"), matrix = node.find("matrix"), center = node.find("center");
  if (axes.has_value() == matrix.has_value()) node.fail_whole("give either semi_axes or matrix");
  Vec middle = center ? center->numbers() : Vec();
  if (axes) return Ellipsoid(axes->numbers(), std::move(middle));
  return Ellipsoid::from_matrix(read_matrix(*matrix), std::move(middle));
}

}  // namespace

Ellipsoid::Ellipsoid(Vec semi_axes, Vec center) : semi_axes_(std::move(semi_axes)), center_(std::move(center)) {
  check_not_empty("ellipsoid", "semi_axes", semi_axes_.size());
  for (double a : semi_axes_) check_positive("ellipsoid", "every semi-axis", a);
  if (center_.empty()) center_.assign(semi_axes_.size(), 0.0);
  if (center_.size() != semi_axes_.size())
    throw Error(Code::kBadSpec,
                fmt::format("ellipsoid: center must have {} entries ({} came)", semi_axes_.size(), center_.size()));
  const auto [low, high] = std::minmax_element(semi_axes_.begin(), semi_axes_.end());
  shortest_ = *low;
  longest_ = *high;
}

Ellipsoid Ellipsoid::from_matrix(const Vec& matrix, Vec center) {
  const auto n = static_cast<Eigen::Index>(std::llround(std::sqrt(static_cast<double>(matrix.size()))));
  if (n == 0 || static_cast<std::size_t>(n * n) != matrix.size())
    throw Error(Code::kBadSpec, fmt::format("ellipsoid: matrix must be square ({} entries)", matrix.size()));
  const Eigen::Map<const RowMajor> m(matrix.data(), n, n);
  const Eigen::MatrixXd symmetric = (m + m.transpose()) / 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(symmetric);
  const double smallest = eigen.eigenvalues()[0], largest = eigen.eigenvalues()[n - 1];
  if (!(smallest > 1e-14 * largest))
    throw Error(Code::kBadSpec,
                fmt::format("ellipsoid: matrix must be positive definite (its eigenvalues reach from {} to {})",
                            smallest, largest));
  Vec axes(static_cast<std::size_t>(n));
  for (Eigen::Index k = 0; k < n; ++k) axes[static_cast<std::size_t>(k)] = 1 / std::sqrt(eigen.eigenvalues()[k]);
  Ellipsoid made(std::move(axes), std::move(center));
  made.rotation_.resize(matrix.size());
  Eigen::Map<RowMajor>(made.rotation_.data(), n, n) = eigen.eigenvectors().transpose();
  return made;
}

SetEntry Ellipsoid::entry() {
  return {.name = "ellipsoid",
          .summary = "(x − center)ᵀ M (x − center) ≤ 1; by semi-axes a, M = diag(1/a²)",
          .keys = {{"semi_axes", "an array of positive numbers (or give matrix)", "optional"},
                   {"matrix", "an array of rows: M, positive definite (or give semi_axes)", "optional"},
                   {"center", "an array of numbers", "0"}},
          .make = read_ellipsoid,
          .examples = {R"({"type": "ellipsoid", "semi_axes": [1, 0.5, 2]})",
                       R"({"type": "ellipsoid", "matrix": [[2, 0.5], [0.5, 1]], "center": [1, -1]})"}};
}

Vec Ellipsoid::in_axes(std::span<const double> x) const {
  Vec t(x.begin(), x.end());
  if (rotation_.empty()) return t;
  for (std::size_t k = 0; k < t.size(); ++k)
    t[k] = kernels::dot(std::span<const double>(rotation_).subspan(k * t.size(), t.size()), x);
  return t;
}

Vec Ellipsoid::from_axes(std::span<const double> t) const {
  if (rotation_.empty()) return Vec(t.begin(), t.end());
  Vec x(t.size(), 0.0);
  for (std::size_t k = 0; k < t.size(); ++k)
    kernels::blend(x, 1, std::span<const double>(rotation_).subspan(k * t.size(), t.size()), t[k]);
  return x;
}

// In the axes' coordinates v − centre = −A² c / ‖A c‖, the image of the unit ball's answer.
Atom Ellipsoid::oracle(const Direction& direction) const {
  Vec t = in_axes(direction.dense());
  for (std::size_t k = 0; k < t.size(); ++k) t[k] *= semi_axes_[k];
  const double length = norm2(t);
  for (std::size_t k = 0; k < t.size(); ++k) t[k] = length > 0 ? -semi_axes_[k] * (t[k] / length) : 0;
  DenseAtom v{from_axes(t)};
  for (std::size_t i = 0; i < v.value.size(); ++i) v.value[i] += center_[i];
  return {std::move(v)};
}

Start Ellipsoid::start() const { return {static_cast<Index>(center_.size()), 0, center_}; }

bool Ellipsoid::contains(std::span<const double> x, double tolerance) const {
  Vec away(x.begin(), x.end());
  for (std::size_t i = 0; i < away.size(); ++i) away[i] -= center_[i];
  Vec t = in_axes(away);
  for (std::size_t k = 0; k < t.size(); ++k) t[k] /= semi_axes_[k];
  return norm2(t) <= 1 + tolerance;
}

std::optional<double> Ellipsoid::gauge_curvature() const {
  if (max_abs(center_) > 0) return std::nullopt;
  return 1 / (longest_ * longest_);
}

// With t = A⁻¹ (y − centre) in the axes' coordinates, the gradient of ‖t‖ holds ‖t‖ ≤ 1.
std::optional<HalfSpace> Ellipsoid::separate(std::span<const double> y) const {
  if (contains(y, kSeparationTolerance)) return std::nullopt;
  Vec away(y.begin(), y.end());
  kernels::blend(away, 1, center_, -1);
  Vec t = in_axes(away);
  for (std::size_t k = 0; k < t.size(); ++k) t[k] /= semi_axes_[k];
  const double length = norm2(t);
  for (std::size_t k = 0; k < t.size(); ++k) t[k] = t[k] / length / semi_axes_[k];
  Vec normal = from_axes(t);
  const double most = 1 + kernels::dot(normal, center_);
  return HalfSpace{std::move(normal), most};
}

}  // namespace tarry
