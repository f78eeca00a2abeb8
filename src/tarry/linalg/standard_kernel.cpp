#include "tarry/linalg/standard_kernel.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tarry/linalg/standard_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tarry::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Features = hn::CappedTag<double, kStandardLanes>;
using Feature = hn::Vec<Features>;
constexpr std::size_t kFeatureWidth = hn::MaxLanes(Features());

// Step by step what Standardiser::standardised does.
void Standardise(StandardBlock& x, std::size_t i) {
  const Features d;
  const Feature zero = hn::Zero(d), one = hn::Set(d, 1), far = hn::Set(d, kStandardFar);
  const Feature value = hn::LoadU(d, x.value + i), first = hn::LoadU(d, x.first + i);
  const Feature off = hn::Sub(value, first);
  const auto near = hn::Or(hn::Lt(hn::Abs(off), hn::LoadU(d, x.limit + i)), hn::Eq(off, zero));
  const Feature sum_before = hn::LoadU(d, x.sum + i), squares_before = hn::LoadU(d, x.squares + i);
  const Feature sum = hn::Add(sum_before, off), squares = hn::Add(squares_before, hn::Mul(off, off));
  const Feature rows = hn::LoadU(d, x.rows + i), absent = hn::Sub(rows, hn::LoadU(d, x.count + i));
  const Feature lacking = hn::Mul(absent, first);
  const Feature mean = hn::Div(hn::Sub(sum, lacking), rows);
  const Feature square = hn::Div(hn::Add(squares, hn::Mul(lacking, first)), rows);
  const Feature variance = hn::Sub(square, hn::Mul(mean, mean));
  const Feature z = hn::Div(hn::Sub(off, mean), hn::Sqrt(variance));
  const Feature below = hn::IfThenElse(hn::Lt(far, z), far, z);
  const Feature clamped = hn::IfThenElse(hn::Lt(z, hn::Neg(far)), hn::Neg(far), below);
  const Feature varied = hn::IfThenElse(hn::Eq(squares, zero), clamped, z);
  const auto says_one = hn::And(hn::Eq(absent, zero), hn::Eq(value, hn::LoadU(d, x.says_one + i)));
  const Feature constant = hn::IfThenElse(says_one, one, zero);
  const auto varies = hn::Lt(hn::Mul(hn::Set(d, kStandardRounding), square), variance);
  const Feature standard = hn::IfThenElse(varies, varied, constant);
  const Feature apart = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
  hn::StoreU(hn::IfThenElse(near, standard, apart), d, x.standard + i);
  hn::StoreU(hn::IfThenElse(near, sum, sum_before), d, x.sum + i);
  hn::StoreU(hn::IfThenElse(near, squares, squares_before), d, x.squares + i);
}

void StandardiseAll(StandardBlock* blocks, std::size_t features) {
  for (std::size_t begin = 0; begin < features; begin += kFeatureWidth)
    Standardise(blocks[begin / kStandardLanes], begin % kStandardLanes);
}

}  // namespace tarry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tarry::kernels {

HWY_EXPORT(StandardiseAll);

void standardise(StandardBlock* blocks, std::size_t features) {
  HWY_DYNAMIC_DISPATCH(StandardiseAll)(blocks, features);
}

}  // namespace tarry::kernels
#endif
