#include "tarry/lab/hindsight/summed_squares.h"

#include <algorithm>
#include <cmath>

#include "tarry/geometry/dense_direction.h"
#include "tarry/geometry/symmetric.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"

namespace tarry::lab {
namespace {

constexpr Index kGramUpTo = 1024;        // dimensions
constexpr std::size_t kEigenUpTo = 256;  // where eigenvalues cost little beside the search
constexpr double kUnit = 0x1p-53;        // the relative error of one operation

// The relative error of a sum of so many products, with some room for what is of second order.
double rounding_of(std::size_t terms) { return 1.01 * (static_cast<double>(terms) + 4) * kUnit; }

}  // namespace

SummedSquares::SummedSquares(const Table& table) : table_(table), n_(static_cast<std::size_t>(table.data->dimension)) {
  if (table.data->dimension <= kGramUpTo) gram_.assign(n_ * n_, 0.0);
}

void SummedSquares::through(std::size_t rows) {
  Dataset::Made made;
  for (; rows_ < rows; ++rows_) {
    if (gram_.empty() || std::isnan(table_.data->labels[rows_])) continue;
    const Covector a = table_.data->features(rows_, made);
    a.each([&](Index i, double ai) {
      double* row = gram_.data() + static_cast<std::size_t>(i) * n_;
      a.each([&](Index j, double aj) { row[static_cast<std::size_t>(j)] += ai * aj; });
    });
  }
}

SummedSquares::At SummedSquares::at(std::span<const double> x) const {
  At sums;
  sums.cross.assign(n_, 0.0);
  Vec off(n_, 0.0);
  Dataset::Made made;
  const double of_rows = rounding_of(rows_);
  for (std::size_t row = 0; row < rows_; ++row) {
    const double y = table_.data->labels[row];
    if (std::isnan(y)) continue;  // never known: no loss
    const Covector a = table_.data->features(row, made);
    double p = 0, size = std::fabs(y), terms = 1;
    a.each([&](Index i, double ai) {
      const double product = ai * x[static_cast<std::size_t>(i)];
      p += product;
      size += std::fabs(product);
      terms += 1;
    });
    const double r = p - y, error = rounding_of(static_cast<std::size_t>(terms)) * size;
    sums.squares += r * r;
    sums.squares_error += (2 * std::fabs(r) + error) * error;
    const double slope_error = error + of_rows * std::fabs(r);
    a.each([&](Index i, double ai) {
      sums.cross[static_cast<std::size_t>(i)] += r * ai;
      off[static_cast<std::size_t>(i)] += slope_error * std::fabs(ai);
    });
  }
  sums.squares_error += of_rows * sums.squares;
  sums.cross_error = norm2(off);
  return sums;
}

Objective SummedSquares::about(std::span<const double> centre) {
  if (gram_.empty())
    return {[this](std::span<const double> x, std::span<double> gradient) {
              const At here = at(x);
              for (std::size_t i = 0; i < n_; ++i) gradient[i] = 2 * here.cross[i];
              return here.squares;
            },
            static_cast<double>(rows_)};
  centre_.assign(centre.begin(), centre.end());
  there_ = at(centre);
  double trace = 0;
  for (std::size_t i = 0; i < n_; ++i) trace += gram_[i * n_ + i];
  return {[this, d = Vec(n_)](std::span<const double> x, std::span<double> gradient) mutable {
            for (std::size_t i = 0; i < n_; ++i) d[i] = x[i] - centre_[i];
            double value = there_.squares;
            for (std::size_t i = 0; i < n_; ++i) {
              const double gd = kernels::dot(std::span(gram_).subspan(i * n_, n_), d);
              gradient[i] = 2 * (there_.cross[i] + gd);
              value += d[i] * (2 * there_.cross[i] + gd);
            }
            return value;
          },
          std::max(1e-12, 2 * trace / static_cast<double>(n_))};
}

// λ with F(v) ≥ F(x) + ⟨∇F(x), v − x⟩ + λ‖v − x‖², rounding allowed for; 0 where there is none, or it costs too much.
double SummedSquares::curvature() const {
  if (gram_.empty() || n_ > kEigenUpTo) return 0;
  double trace = 0;
  for (std::size_t i = 0; i < n_; ++i) trace += gram_[i * n_ + i];
  const double least = symmetric_eigenpairs(gram_, static_cast<Index>(n_)).values.front();
  return std::max(0.0, least - (rounding_of(rows_) + 8 * rounding_of(n_)) * trace);
}

// With g the gradient as computed, off by at most δ, and v the oracle's answer to it, F(x) is above the minimum by at
// most ⟨g, x − v⟩ + max_d (δ‖d‖ − λ‖d‖²), over ‖d‖ ≤ D, and by at most (‖g‖ + δ)²/(4λ): the first is good where the set
// stops the descent, the second inside a large set. `error` holds what a projection may have left x outside of the set
// by.
Interval SummedSquares::certify(const AnySet& set, std::span<const double> x) const {
  At here = at(x);
  for (double& g : here.cross) g *= 2;
  Vec vertex(n_);
  write(set.oracle(DenseDirection(here.cross, set.shape())), vertex);
  double gap = 0, size = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    gap += here.cross[i] * (x[i] - vertex[i]);
    size += std::fabs(here.cross[i]) * (std::fabs(x[i]) + std::fabs(vertex[i]));
  }
  const double error = here.squares_error + rounding_of(n_) * size, delta = 2 * here.cross_error;
  double above = std::max(0.0, gap) + delta * set.diameter() + error;
  if (const double lambda = curvature(); lambda > 0) {
    const double length = norm2(here.cross) + delta;
    above = std::min(above, std::max(0.0, gap) + delta * delta / (4 * lambda) + error);
    above = std::min(above, length * length / (4 * lambda) + here.squares_error);
  }
  return {std::max(0.0, here.squares - above), here.squares + error};
}

}  // namespace tarry::lab
