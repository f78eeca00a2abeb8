#include "spectra_pair.h"

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tarry::bench {
namespace {

class Gram {
 public:
  using Scalar = double;
  explicit Gram(const LinearMap& c) : c_(c), across_(static_cast<std::size_t>(c.rows())) {}
  Eigen::Index rows() const { return c_.cols(); }
  Eigen::Index cols() const { return c_.cols(); }
  void perform_op(const double* x, double* out) const {
    const auto n = static_cast<std::size_t>(c_.cols());
    c_.apply({x, n}, across_);
    c_.apply_transposed(across_, {out, n});
  }

 private:
  const LinearMap& c_;
  mutable Vec across_;
};

}  // namespace

TopPair spectra_pair(const LinearMap& c, double error, int vectors) {
  Gram gram(c);
  Spectra::SymEigsSolver<Gram> solver(gram, 1, vectors);
  solver.init();
  const double of_square = std::clamp(2 * error, std::numeric_limits<double>::epsilon(), 1.0);
  if (solver.compute(Spectra::SortRule::LargestAlge, 1000, of_square) != 1)
    throw std::runtime_error("Spectra has not converged");
  const Eigen::VectorXd w = solver.eigenvectors().col(0);
  TopPair found{Vec(static_cast<std::size_t>(c.rows())), Vec(w.begin(), w.end()), std::sqrt(solver.eigenvalues()[0])};
  c.apply(found.w, found.u);
  for (double& x : found.u) x /= found.sigma;
  return found;
}

}  // namespace tarry::bench
