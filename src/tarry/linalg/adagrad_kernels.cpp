#include "tarry/linalg/adagrad_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tarry/linalg/adagrad_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tarry::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, kAdagradRates>;
using Lane = hn::Vec<Tag>;
constexpr std::size_t kWidth = hn::MaxLanes(Tag());
constexpr std::size_t kRegisters = kAdagradRates / kWidth;

void Predict(const double* const* at, const double* values, std::size_t count, double* predictions) {
  const Tag d;
  Lane sum[kRegisters];
  for (std::size_t r = 0; r < kRegisters; ++r) sum[r] = hn::LoadU(d, predictions + r * kWidth);
  for (std::size_t j = 0; j < count; ++j) {
    if (values[j] == 0) continue;
    const double* x = at[j];
    const Lane value = hn::Set(d, values[j]);
    for (std::size_t r = 0; r < kRegisters; ++r) sum[r] = hn::Add(sum[r], hn::Mul(value, hn::LoadU(d, x + r * kWidth)));
  }
  for (std::size_t r = 0; r < kRegisters; ++r) hn::StoreU(sum[r], d, predictions + r * kWidth);
}

void Learn(double* const* at, const double* values, std::size_t count, const AdagradStep& step,
           const AdagradLimits& limits) {
  const Tag d;
  const Lane lower = hn::Set(d, limits.lower), upper = hn::Set(d, limits.upper);
  Lane rate[kRegisters], slope[kRegisters];
  for (std::size_t r = 0; r < kRegisters; ++r) {
    rate[r] = hn::Mul(hn::Set(d, limits.unit), hn::LoadU(d, step.rates + r * kWidth));
    slope[r] = hn::LoadU(d, step.slopes + r * kWidth);
  }
  for (std::size_t j = 0; j < count; ++j) {
    if (values[j] == 0) continue;
    double* x = at[j];
    double* squares = x + kAdagradRates;
    const Lane value = hn::Set(d, values[j]);
    for (std::size_t r = 0; r < kRegisters; ++r) {
      const std::size_t o = r * kWidth;
      const Lane g = hn::Mul(slope[r], value);
      const Lane a = hn::Add(hn::LoadU(d, squares + o), hn::Mul(g, g));
      const Lane moved = hn::Sub(hn::LoadU(d, x + o), hn::Mul(rate[r], hn::Div(g, hn::Sqrt(a))));
      hn::StoreU(a, d, squares + o);
      // As std::max and std::min do it: NaN, from infinities, becomes a bound.
      const Lane above = hn::IfThenElse(hn::Lt(lower, moved), moved, lower);
      hn::StoreU(hn::IfThenElse(hn::Lt(above, upper), above, upper), d, x + o);
    }
  }
}

void Grow(double* const* at, const double* values, std::size_t count, const AdagradStep& step, double unit,
          double* reach, double* roots) {
  const Tag d;
  Lane rate[kRegisters], slope[kRegisters], sum[kRegisters];
  for (std::size_t r = 0; r < kRegisters; ++r) {
    rate[r] = hn::Mul(hn::Set(d, unit), hn::LoadU(d, step.rates + r * kWidth));
    slope[r] = hn::LoadU(d, step.slopes + r * kWidth);
    sum[r] = hn::LoadU(d, reach + r * kWidth);
  }
  for (std::size_t j = 0; j < count; ++j) {
    if (values[j] == 0) continue;
    double* squares = at[j] + kAdagradRates;
    const Lane value = hn::Set(d, values[j]);
    for (std::size_t r = 0; r < kRegisters; ++r) {
      const std::size_t o = r * kWidth;
      const Lane g = hn::Mul(slope[r], value);
      const Lane a = hn::Add(hn::LoadU(d, squares + o), hn::Mul(g, g));
      hn::StoreU(a, d, squares + o);
      const Lane root = hn::Sqrt(a);
      hn::StoreU(root, d, roots + j * kAdagradRates + o);
      sum[r] = hn::Add(sum[r], hn::Mul(rate[r], hn::Div(hn::Mul(value, value), root)));
    }
  }
  for (std::size_t r = 0; r < kRegisters; ++r) hn::StoreU(sum[r], d, reach + r * kWidth);
}

void Step(double* const* at, const double* values, std::size_t count, const AdagradStep& step,
          const AdagradLimits& limits, const double* roots) {
  const Tag d;
  const Lane lower = hn::Set(d, limits.lower), upper = hn::Set(d, limits.upper);
  Lane rate[kRegisters], slope[kRegisters];
  for (std::size_t r = 0; r < kRegisters; ++r) {
    rate[r] = hn::Mul(hn::Set(d, limits.unit), hn::LoadU(d, step.rates + r * kWidth));
    slope[r] = hn::LoadU(d, step.slopes + r * kWidth);
  }
  for (std::size_t j = 0; j < count; ++j) {
    if (values[j] == 0) continue;
    double* x = at[j];
    const Lane value = hn::Set(d, values[j]);
    for (std::size_t r = 0; r < kRegisters; ++r) {
      const std::size_t o = r * kWidth;
      const Lane g = hn::Mul(slope[r], value);
      const Lane root = roots != nullptr ? hn::LoadU(d, roots + j * kAdagradRates + o)
                                         : hn::Sqrt(hn::LoadU(d, x + kAdagradRates + o));
      const Lane moved = hn::Sub(hn::LoadU(d, x + o), hn::Mul(rate[r], hn::Div(g, root)));
      const Lane above = hn::IfThenElse(hn::Lt(lower, moved), moved, lower);
      hn::StoreU(hn::IfThenElse(hn::Lt(above, upper), above, upper), d, x + o);
    }
  }
}

}  // namespace tarry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tarry::kernels {

HWY_EXPORT(Predict);
HWY_EXPORT(Learn);
HWY_EXPORT(Grow);
HWY_EXPORT(Step);

void adagrad_predict(const double* const* at, std::span<const double> values, double* predictions) {
  HWY_DYNAMIC_DISPATCH(Predict)(at, values.data(), values.size(), predictions);
}

void adagrad_learn(double* const* at, std::span<const double> values, const AdagradStep& step,
                   const AdagradLimits& limits) {
  HWY_DYNAMIC_DISPATCH(Learn)(at, values.data(), values.size(), step, limits);
}

void adagrad_grow(double* const* at, std::span<const double> values, const AdagradStep& step, double unit,
                  double* reach, double* roots) {
  HWY_DYNAMIC_DISPATCH(Grow)(at, values.data(), values.size(), step, unit, reach, roots);
}

void adagrad_step(double* const* at, std::span<const double> values, const AdagradStep& step,
                  const AdagradLimits& limits, const double* roots) {
  HWY_DYNAMIC_DISPATCH(Step)(at, values.data(), values.size(), step, limits, roots);
}

}  // namespace tarry::kernels
#endif
