#include "tarry/geometry/symmetric.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"

namespace tarry {

// Scaled by its largest entry, so that extreme matrices neither overflow nor vanish.
Eigenpairs symmetric_eigenpairs(std::span<const double> matrix, Index size) {
  const double largest = max_abs(matrix), scale = largest > 0 ? largest : 1;
  const Eigen::MatrixXd m = Eigen::Map<const Eigen::MatrixXd>(matrix.data(), size, size) / scale;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (m + m.transpose()));
  const Eigen::VectorXd values = solver.eigenvalues() * scale;
  const Eigen::MatrixXd& vectors = solver.eigenvectors();
  return {Vec(values.begin(), values.end()), Vec(vectors.data(), vectors.data() + vectors.size())};
}

Vec from_eigenpairs(const Eigenpairs& pairs, std::span<const double> weights) {
  const std::size_t n = pairs.values.size();
  Vec matrix(n * n, 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto v = pairs.vector(k);
    for (std::size_t i = 0; i < n; ++i) kernels::blend(std::span(matrix).subspan(i * n, n), 1, v, weights[k] * v[i]);
  }
  return matrix;
}

bool is_symmetric(std::span<const double> matrix, Index side, double most) {
  const auto n = static_cast<std::size_t>(side);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!(std::fabs(matrix[i * n + j] - matrix[j * n + i]) <= most)) return false;
  return true;
}

Start scaled_identity(Index side, double diagonal) {
  Vec matrix = full_vector(side * side);
  for (Index i = 0; i < side; ++i) matrix[static_cast<std::size_t>(i * side + i)] = diagonal;
  return {side * side, 0, std::move(matrix)};
}

}  // namespace tarry
