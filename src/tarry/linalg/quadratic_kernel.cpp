#include "tarry/linalg/quadratic_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tarry/linalg/quadratic_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tarry::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using QuadraticTag = hn::CappedTag<double, 8>;

// Each entry's sum over those before it, all of them side by side: one after the other, each addition would wait for
// the one before.
double Quadratic(double sum, const double* of, std::size_t stride, const double* values, std::size_t count,
                 double* before) {
  const QuadraticTag d;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t i = 0; i < count; ++i) before[i] = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const double* row = of + j * stride;
    const double value = values[j];
    const auto all = hn::Set(d, value);
    std::size_t i = j + 1;
    for (; i + width <= count; i += width)
      hn::StoreU(hn::Add(hn::LoadU(d, before + i), hn::Mul(hn::LoadU(d, row + i), all)), d, before + i);
    for (; i < count; ++i) before[i] += row[i] * value;
    sum += value * (2 * before[j] + row[j] * value);
  }
  return sum;
}

}  // namespace tarry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tarry::kernels {

HWY_EXPORT(Quadratic);

double add_quadratic(double sum, const double* of, std::size_t stride, std::span<const double> values, double* before) {
  return HWY_DYNAMIC_DISPATCH(Quadratic)(sum, of, stride, values.data(), values.size(), before);
}

}  // namespace tarry::kernels
#endif
