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
// the one before. Where there is room, lanes begin before the entry and end behind the last: nobody reads those sums.
double Quadratic(double sum, const PartOfMatrix& part, const double* values, std::size_t count) {
  const QuadraticTag d;
  const std::size_t width = hn::Lanes(d), padded = (count + width - 1) / width * width;
  double before[kMostQuadratic];
  for (std::size_t i = 0; i < padded; ++i) before[i] = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const double* row = part.of + j * part.stride;
    const double value = values[j];
    sum += value * (2 * before[j] + row[j] * value);
    if (padded <= part.room) {
      const auto all = hn::Set(d, value);
      for (std::size_t i = (j + 1) / width * width; i < padded; i += width)
        hn::StoreU(hn::Add(hn::LoadU(d, before + i), hn::Mul(hn::LoadU(d, row + i), all)), d, before + i);
    } else {
      for (std::size_t i = j + 1; i < count; ++i) before[i] += row[i] * value;
    }
  }
  return sum;
}

}  // namespace tarry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tarry::kernels {

HWY_EXPORT(Quadratic);

double add_quadratic(double sum, const PartOfMatrix& part, std::span<const double> values) {
  return HWY_DYNAMIC_DISPATCH(Quadratic)(sum, part, values.data(), values.size());
}

}  // namespace tarry::kernels
#endif
