#include "tarry/linalg/min_norm_point.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace tarry {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A corral: affinely independent points and the weights of the current x among them.
struct Corral {
  std::vector<std::size_t> points;
  VectorXd weights;
};

// Weights, summing to 1, of the point of smallest norm in the affine hull of the columns.
VectorXd affine_minimiser(const MatrixXd& columns) {
  const Index k = columns.cols();
  MatrixXd system = MatrixXd::Zero(k + 1, k + 1);
  system.topLeftCorner(k, k) = columns.transpose() * columns;
  system.row(k).head(k).setOnes();
  system.col(k).head(k).setOnes();
  VectorXd right = VectorXd::Zero(k + 1);
  right[k] = 1;
  return system.fullPivLu().solve(right).head(k);
}

MatrixXd gather(const MatrixXd& all, const std::vector<std::size_t>& points) {
  MatrixXd columns(all.rows(), static_cast<Index>(points.size()));
  for (std::size_t j = 0; j < points.size(); ++j)
    columns.col(static_cast<Index>(j)) = all.col(static_cast<Index>(points[j]));
  return columns;
}

void drop(Corral& corral, std::size_t j) {
  corral.points.erase(corral.points.begin() + static_cast<std::ptrdiff_t>(j));
  VectorXd kept(corral.weights.size() - 1);
  for (Index i = 0, out = 0; i < corral.weights.size(); ++i)
    if (i != static_cast<Index>(j)) kept[out++] = corral.weights[i];
  corral.weights = kept;
}

// Moves to the affine minimiser, dropping points until it is inside the corral's hull.
void minor_cycles(const MatrixXd& all, Corral& corral) {
  while (true) {
    const VectorXd target = affine_minimiser(gather(all, corral.points));
    if (target.minCoeff() > -1e-14) {
      corral.weights = target.cwiseMax(0);
      corral.weights /= corral.weights.sum();
      return;
    }
    double step = 1;
    Index blocking = 0;
    for (Index j = 0; j < target.size(); ++j) {
      if (target[j] >= corral.weights[j]) continue;
      const double reach = corral.weights[j] / (corral.weights[j] - target[j]);
      if (reach < step) {
        step = reach;
        blocking = j;
      }
    }
    corral.weights += step * (target - corral.weights);
    drop(corral, static_cast<std::size_t>(blocking));
  }
}

}  // namespace

Vec min_norm_point(const std::vector<Vec>& points) {
  const auto n = static_cast<Index>(points.front().size());
  MatrixXd all(n, static_cast<Index>(points.size()));
  for (std::size_t j = 0; j < points.size(); ++j)
    all.col(static_cast<Index>(j)) = Eigen::Map<const VectorXd>(points[j].data(), n);

  Index nearest = 0;
  all.colwise().squaredNorm().minCoeff(&nearest);
  const double scale = all.colwise().squaredNorm().maxCoeff();
  Corral corral{{static_cast<std::size_t>(nearest)}, VectorXd::Ones(1)};
  VectorXd x = all.col(nearest);
  const std::size_t most_cycles = 100 * (points.size() + points.front().size());  // cycling by rounding ends here
  for (std::size_t cycle = 0; cycle < most_cycles; ++cycle) {
    Index entering = 0;
    const double best = (x.transpose() * all).minCoeff(&entering);
    const double norm = x.squaredNorm();
    if (best > norm - 1e-15 * scale) break;
    const auto added = static_cast<std::size_t>(entering);
    if (std::find(corral.points.begin(), corral.points.end(), added) != corral.points.end()) break;
    corral.points.push_back(added);
    corral.weights.conservativeResize(corral.weights.size() + 1);
    corral.weights[corral.weights.size() - 1] = 0;
    minor_cycles(all, corral);
    const VectorXd next = gather(all, corral.points) * corral.weights;
    if (next.squaredNorm() >= norm) break;
    x = next;
  }
  return Vec(x.data(), x.data() + n);
}

}  // namespace tarry
