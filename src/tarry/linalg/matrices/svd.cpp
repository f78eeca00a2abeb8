#include "tarry/linalg/matrices/svd.h"

#include <Eigen/SVD>

#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr Index kJacobiUpTo = 64;  // Jacobi is the more accurate; divide and conquer the faster

struct Decomposition {
  Eigen::MatrixXd u, w;
  Eigen::VectorXd sigma;
};

// Scaled by its largest entry, so that extreme matrices neither overflow nor vanish.
Decomposition decompose(std::span<const double> matrix, Index rows, Index cols) {
  const double largest = max_abs(matrix);
  const double scale = largest > 0 ? largest : 1;
  const Eigen::MatrixXd m = Eigen::Map<const Matrix>(matrix.data(), rows, cols) / scale;
  constexpr unsigned kThin = Eigen::ComputeThinU | Eigen::ComputeThinV;
  if (std::min(rows, cols) <= kJacobiUpTo) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(m, kThin);
    return {svd.matrixU(), svd.matrixV(), svd.singularValues() * scale};
  }
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(m, kThin);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues() * scale};
}

}  // namespace

ThinSvd thin_svd(std::span<const double> matrix, Index rows, Index cols) {
  if (matrix.empty()) return {};
  const Decomposition d = decompose(matrix, rows, cols);
  return {Vec(d.u.data(), d.u.data() + d.u.size()), Vec(d.w.data(), d.w.data() + d.w.size()),
          Vec(d.sigma.begin(), d.sigma.end())};
}

TopPair top_singular_pair(std::span<const double> matrix, Index rows, Index cols) {
  const Decomposition d = decompose(matrix, rows, cols);
  return {Vec(d.u.col(0).begin(), d.u.col(0).end()), Vec(d.w.col(0).begin(), d.w.col(0).end()), d.sigma[0], 0, {}, {}};
}

Vec singular_values(std::span<const double> matrix, Index rows, Index cols) {
  const Decomposition d = decompose(matrix, rows, cols);
  return Vec(d.sigma.begin(), d.sigma.end());
}

void map_singular_values(std::span<double> matrix, Index rows, Index cols,
                         const std::function<Vec(Vec values)>& change) {
  const Decomposition d = decompose(matrix, rows, cols);
  const Vec changed = change(Vec(d.sigma.begin(), d.sigma.end()));
  const Eigen::Map<const Eigen::VectorXd> sigma(changed.data(), static_cast<Eigen::Index>(changed.size()));
  Eigen::Map<Matrix>(matrix.data(), rows, cols) = d.u * sigma.asDiagonal() * d.w.transpose();
}

}  // namespace tarry
