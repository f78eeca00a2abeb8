#include "tarry/linalg/pair_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tarry/linalg/pair_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tarry::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Pairs = hn::CappedTag<double, kPairRoom>;
using PairPlaces = hn::CappedTag<std::int64_t, kPairRoom>;
constexpr std::size_t kPairWidth = hn::MaxLanes(Pairs());

void MultiplyPairs(const std::int64_t* indices, const double* values, std::size_t count, const PairSpec& spec,
                   std::int64_t* to, double* products) {
  const Pairs d;
  const PairPlaces places;
  const auto share = hn::Set(d, spec.share), most = hn::Set(d, spec.most), least = hn::Set(d, -spec.most);
  for (std::size_t a = 0; a < count; ++a) {
    const auto value = hn::Set(d, values[a]);
    const auto first = hn::Set(places, spec.first + indices[a] * spec.stride);
    for (std::size_t b = a; b < count; b += kPairWidth) {
      hn::StoreU(hn::Add(first, hn::LoadU(places, indices + b)), places, to + (b - a));
      const auto product = hn::Mul(value, hn::LoadU(d, values + b));
      const auto below = hn::IfThenElse(hn::Lt(product, most), product, most);
      const auto within = hn::IfThenElse(hn::Lt(least, below), below, least);
      hn::StoreU(hn::Mul(share, within), d, products + (b - a));
    }
    to += count - a;
    products += count - a;
  }
}

}  // namespace tarry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tarry::kernels {

HWY_EXPORT(MultiplyPairs);

void multiply_pairs(const std::int64_t* indices, const double* values, std::size_t count, const PairSpec& spec,
                    std::int64_t* to, double* products) {
  HWY_DYNAMIC_DISPATCH(MultiplyPairs)(indices, values, count, spec, to, products);
}

}  // namespace tarry::kernels
#endif
