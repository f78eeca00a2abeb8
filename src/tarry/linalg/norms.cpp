#include "tarry/linalg/norms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"
#include "tarry/linalg/dense_kernels.h"

namespace tarry {
namespace {

template <class Term>
double compensated_sum(std::span<const double> x, Term term) {
  double total = 0, error = 0;
  for (double xi : x) {
    const double t = term(xi), next = total + t;
    error += std::fabs(total) >= std::fabs(t) ? (total - next) + t : (t - next) + total;
    total = next;
  }
  return total + error;
}

// Squares of numbers this large or this small are still far from overflow and underflow.
bool squares_safely(double largest) { return largest > 1e-140 && largest < 1e140; }

}  // namespace

double sum(std::span<const double> x) {
  return compensated_sum(x, [](double xi) { return xi; });
}

bool all_finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double xi) { return std::isfinite(xi); });
}

double max_abs(std::span<const double> x) {
  if (x.empty()) return 0;
  double beyond = 0;  // what is not finite, which the kernel must not meet; a NaN stays one
  for (double xi : x)
    if (!std::isfinite(xi)) beyond += std::fabs(xi);
  return beyond == 0 ? std::fabs(kernels::extreme(x, Need::kMaxAbs).value) : beyond;
}

double norm1(std::span<const double> x) {
  return compensated_sum(x, [](double xi) { return std::fabs(xi); });
}

double norm2(std::span<const double> x) {
  // The same number, mostly without a look at the largest: what such a sum is made of squares safely.
  if (const double squares = kernels::sum_of_squares(x); squares > 1e-250 && squares < 1e270) return std::sqrt(squares);
  const double largest = max_abs(x);
  if (largest == 0) return 0;
  if (squares_safely(largest)) return std::sqrt(kernels::sum_of_squares(x));
  return largest * std::sqrt(compensated_sum(x, [&](double xi) { return (xi / largest) * (xi / largest); }));
}

double norm(std::span<const double> x, double p) {
  if (p == 1) return norm1(x);
  if (p == 2) return norm2(x);
  const double largest = max_abs(x);
  if (largest == 0 || std::isinf(p)) return largest;
  return largest *
         tarry::pow(compensated_sum(x, [&](double xi) { return tarry::pow(std::fabs(xi) / largest, p); }), 1 / p);
}

double conjugate(double p) { return p == 1 ? std::numeric_limits<double>::infinity() : p / (p - 1); }

void lp_minimiser(std::span<const double> c, double p, double radius, std::span<double> out) {
  const double largest = max_abs(c);
  if (largest == 0 || p == 1) {
    std::fill(out.begin(), out.end(), 0.0);
    if (largest == 0) return;
    const Extreme e = kernels::extreme(c, Need::kMaxAbs);
    out[static_cast<std::size_t>(e.at)] = std::copysign(radius, -e.value);
    return;
  }
  if (p == 2) {
    const double length = norm2(c);
    for (std::size_t i = 0; i < c.size(); ++i) out[i] = -radius * (c[i] / length);
    return;
  }
  // v_i = −r sign(c_i) |c_i|^{q−1} / ‖c‖_q^{q−1}, computed on c / max|c| so that no power overflows. Dividing by
  // the p-norm of the powers themselves puts the point on the sphere whatever their rounding.
  const double power = 1 / (p - 1);  // q − 1
  for (std::size_t i = 0; i < c.size(); ++i)
    out[i] = std::copysign(tarry::pow(std::fabs(c[i]) / largest, power), -c[i]);
  const double length = norm(out, p);
  for (double& v : out) v = radius * (v / length);
}

}  // namespace tarry
