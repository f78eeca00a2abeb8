#include "tarry/linalg/matrices/factors.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/linalg/matrices/svd.h"

namespace tarry {
namespace {

using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

Matrix side_by_side(const std::vector<Vec>& columns) {
  std::size_t height = 0;
  for (const Vec& column : columns) height = std::max(height, column.size());
  Matrix m = Matrix::Zero(static_cast<Eigen::Index>(height), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    std::copy(columns[k].begin(), columns[k].end(), m.col(static_cast<Eigen::Index>(k)).begin());
  return m;
}

std::vector<Vec> columns_of(const Matrix& m) {
  std::vector<Vec> columns;
  for (Eigen::Index k = 0; k < m.cols(); ++k) columns.emplace_back(m.col(k).begin(), m.col(k).end());
  return columns;
}

// M = Q R with orthonormal Q, as many columns as the smaller side has.
struct Orthonormal {
  Matrix q, r;

  explicit Orthonormal(const Matrix& m) {
    const Eigen::Index k = std::min(m.rows(), m.cols());
    const Eigen::HouseholderQR<Matrix> qr(m);
    q = qr.householderQ() * Matrix::Identity(m.rows(), k);
    r = qr.matrixQR().topRows(k).triangularView<Eigen::Upper>();
  }
};

struct Cores {
  Orthonormal u, w;
  Matrix y, p;  // over u.q and w.q

  explicit Cores(const Factors& f) : u(side_by_side(f.u)), w(side_by_side(f.w)) {
    const auto k = static_cast<Eigen::Index>(f.y.size());
    y = u.r * Eigen::Map<const Eigen::VectorXd>(f.y.data(), k).asDiagonal() * w.r.transpose();
    p = f.p.empty() ? Matrix::Zero(y.rows(), y.cols())
                    : Matrix(u.r * Eigen::Map<const RowMajor>(f.p.data(), k, k) * w.r.transpose());
  }
};

struct Svd {
  Matrix u, w;
  Eigen::VectorXd sigma;

  explicit Svd(const RowMajor& m) {
    const ThinSvd thin = thin_svd({m.data(), static_cast<std::size_t>(m.size())}, static_cast<Index>(m.rows()),
                                  static_cast<Index>(m.cols()));
    const auto k = static_cast<Eigen::Index>(thin.sigma.size());
    u = Eigen::Map<const Matrix>(thin.u.data(), m.rows(), k);
    w = Eigen::Map<const Matrix>(thin.w.data(), m.cols(), k);
    sigma = Eigen::Map<const Eigen::VectorXd>(thin.sigma.data(), k);
  }
};

// How many of the descending values are needed so that the rest has a norm of at most `most`.
Eigen::Index needed(const Eigen::VectorXd& sigma, double most) {
  Eigen::Index k = sigma.size();
  double rest = 0;
  while (k > 0 && rest + sigma[k - 1] * sigma[k - 1] <= most * most) {
    rest += sigma[k - 1] * sigma[k - 1];
    --k;
  }
  return k;
}

// The norms that y and p may lose. Moving y by e raises what counts by at most ‖c‖e + (b/2)e², c = S + p + b y.
struct Cut {
  double y, p;

  Cut(const Cores& cores, const Truncation& allowed) {
    const double c_norm = allowed.s_norm + (cores.p + allowed.b * cores.y).norm();
    const double root = std::sqrt(c_norm * c_norm + 2 * allowed.b * allowed.rise);
    y = std::max(allowed.rise > 0 ? 2 * allowed.rise / (c_norm + root) : 0, kRounding * cores.y.norm());
    p = std::max(allowed.spurious, kRounding * cores.p.norm());
  }
};

// An orthonormal basis of the columns of y and p, each to half of what it may lose.
Matrix common_basis(const Matrix& y, const Matrix& p, const Cut& cut) {
  Matrix both(y.rows(), y.cols() + p.cols());
  both << (cut.y > 0 ? Matrix(y / cut.y) : Matrix::Zero(y.rows(), y.cols())),
      (cut.p > 0 ? Matrix(p / cut.p) : Matrix::Zero(p.rows(), p.cols()));
  const Svd svd(both);
  return svd.u.leftCols(needed(svd.sigma, 0.5));
}

Matrix widened(const Matrix& m, Eigen::Index cols) {
  Matrix wide = Matrix::Zero(m.rows(), cols);
  wide.leftCols(m.cols()) = m;
  return wide;
}

}  // namespace

Factors refactor(const Factors& f, const Truncation& allowed) {
  const Cores cores(f);
  const Cut cut(cores, allowed);
  if (f.p.empty()) {
    const Svd svd(cores.y);
    const Eigen::Index k = needed(svd.sigma, cut.y);
    return {columns_of(cores.u.q * svd.u.leftCols(k)),
            columns_of(cores.w.q * svd.w.leftCols(k)),
            Vec(svd.sigma.begin(), svd.sigma.begin() + k),
            {}};
  }
  const Matrix left = common_basis(cores.y, cores.p, cut);
  const Matrix right = common_basis(cores.y.transpose(), cores.p.transpose(), cut);
  if (left.cols() == 0 || right.cols() == 0) return {};
  // As many columns in both, then turned so that y is diagonal.
  const Eigen::Index k = std::max(left.cols(), right.cols());
  const Matrix from = widened(left, k), to = widened(right, k);
  const Svd turn(from.transpose() * cores.y * to);
  const RowMajor p = turn.u.transpose() * (from.transpose() * cores.p * to) * turn.w;
  return {columns_of(cores.u.q * (from * turn.u)), columns_of(cores.w.q * (to * turn.w)),
          Vec(turn.sigma.begin(), turn.sigma.end()), Vec(p.data(), p.data() + p.size())};
}

Spectrum spectrum(const Factors& f, double size) {
  const Cores cores(f);
  const Svd svd(cores.y);
  Eigen::Index k = 0;
  while (k < svd.sigma.size() && svd.sigma[k] > kRounding * size) ++k;
  return {columns_of(cores.u.q * svd.u.leftCols(k)), columns_of(cores.w.q * svd.w.leftCols(k)),
          Vec(svd.sigma.begin(), svd.sigma.begin() + k), cores.y.cwiseProduct(cores.p).sum()};
}

}  // namespace tarry
