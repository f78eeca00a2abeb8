#include "tarry/linalg/elementary_kernels.h"

#include <cstdint>

#include "tarry/base/elementary.h"
#include "tarry/base/elementary_tables.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tarry/linalg/elementary_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tarry::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace el = tarry::elementary;

using Reals = hn::CappedTag<double, 8>;
using Places = hn::RebindToSigned<Reals>;
using Real = hn::Vec<Reals>;
using Bits = hn::Vec<hn::RebindToUnsigned<Reals>>;
constexpr std::size_t kRealWidth = hn::MaxLanes(Reals());
constexpr int kAfterPoint = 52;  // bits of a double

// Step by step what base/elementary.cpp does where nothing is subnormal or at the edge. False: some number is.
bool ExpOf(Real& x) {
  constexpr double kRounder = 0x1.8p52;
  constexpr DoubleDouble kStep = el::on_grid({el::kLn2.high / el::kTable, el::kLn2.low / el::kTable});
  const Reals d;
  const Places i;
  const hn::RebindToUnsigned<Reals> u;
  if (!hn::AllTrue(d, hn::Lt(hn::Abs(x), hn::Set(d, 670)))) return false;
  const Real rounder = hn::Set(d, kRounder);
  const Real rounded = hn::Add(hn::Mul(x, hn::Set(d, el::kTable * el::kPerLn2.high)), rounder);
  const Real k = hn::Sub(rounded, rounder);
  const Real r =
      hn::Add(hn::Sub(x, hn::Mul(k, hn::Set(d, kStep.high))), hn::Sub(hn::Zero(d), hn::Mul(k, hn::Set(d, kStep.low))));
  const Bits bits = hn::BitCast(u, rounded);
  const auto at = hn::BitCast(i, hn::ShiftLeft<1>(hn::And(bits, hn::Set(u, el::kTable - 1))));
  const double* table = &el::kRoots[0].high;
  const Real high = hn::GatherIndex(d, table, at), tail = hn::GatherIndex(d, table + 1, at);
  const Real square = hn::Mul(r, r);
  const Real series = hn::Add(hn::Add(hn::Set(d, 0.5), hn::Mul(r, hn::Set(d, 1.0 / 6))),
                              hn::Mul(square, hn::Add(hn::Set(d, 1.0 / 24), hn::Mul(r, hn::Set(d, 1.0 / 120)))));
  const Real more = hn::Add(hn::Add(tail, r), hn::Mul(square, series));
  const Bits raised = hn::ShiftLeft<kAfterPoint>(hn::ShiftRight<el::kTableBits>(bits));
  const Real scale = hn::BitCast(d, hn::Add(hn::BitCast(u, high), raised));
  x = hn::Add(scale, hn::Mul(scale, more));
  return true;
}

Real LogTail(Real r) {
  const Reals d;
  const auto both = [&](double a, double b) HWY_ATTR { return hn::Add(hn::Set(d, a), hn::Mul(r, hn::Set(d, b))); };
  const Real s = hn::Mul(r, r);
  const Real lower = hn::Add(both(-1.0 / 2, 1.0 / 3), hn::Mul(s, both(-1.0 / 4, 1.0 / 5)));
  const Real upper = hn::Add(both(-1.0 / 6, 1.0 / 7), hn::Mul(s, both(-1.0 / 8, 1.0 / 9)));
  return hn::Add(lower, hn::Mul(hn::Mul(s, s), upper));
}

// ln(high + low) for 1 ≤ high ≤ 2 and low below its last place: k is 0 or 1.
Real LogOf(Real high, Real low) {
  constexpr DoubleDouble kLn2Grid = el::on_grid(el::kLn2);
  const Reals d;
  const Places i;
  const hn::RebindToUnsigned<Reals> u;
  const Bits bits = hn::BitCast(u, high);
  const Bits from_first = hn::Sub(bits, hn::BitCast(u, hn::Set(d, el::kFirstCell)));
  const Bits exponent = hn::ShiftRight<kAfterPoint>(from_first);
  const Bits z_bits = hn::Sub(bits, hn::ShiftLeft<kAfterPoint>(exponent));
  const Bits cell = hn::And(hn::ShiftRight<kAfterPoint - el::kTableBits>(from_first), hn::Set(u, el::kTable - 1));
  const auto at = hn::BitCast(i, hn::Add(hn::Add(cell, cell), cell));
  const double* table = &el::kCells[0].inverse;
  const Real inverse = hn::GatherIndex(d, table, at), log_high = hn::GatherIndex(d, table + 1, at),
             log_low = hn::GatherIndex(d, table + 2, at);
  const Real z = hn::BitCast(d, z_bits);
  const Bits rounded = hn::Add(z_bits, hn::Set(u, std::uint64_t{1} << 34));
  const Real z_head = hn::BitCast(d, hn::ShiftLeft<35>(hn::ShiftRight<35>(rounded)));
  const Real head = hn::Sub(hn::Mul(z_head, inverse), hn::Set(d, 1));
  const Real exact = hn::Mul(hn::Sub(z, z_head), inverse);
  const Real k = hn::ConvertTo(d, hn::BitCast(i, exponent));
  const Real power = hn::Sub(hn::Set(d, 1), hn::Mul(k, hn::Set(d, 0.5)));  // 2^−k
  const Real nudged = hn::Add(exact, hn::Mul(hn::Mul(low, power), inverse));
  const Real small = hn::IfThenElse(hn::Eq(low, hn::Zero(d)), exact, nudged);
  const Real r = hn::Add(head, small), r_low = hn::Sub(small, hn::Sub(r, head));
  const Real base_high = hn::Add(hn::Mul(k, hn::Set(d, kLn2Grid.high)), log_high);
  const Real base_low = hn::Add(hn::Mul(k, hn::Set(d, kLn2Grid.low)), log_low);
  const Real sum = hn::Add(base_high, r), sum_low = hn::Sub(r, hn::Sub(sum, base_high));
  const Real rest = hn::Add(hn::Add(sum_low, hn::Add(r_low, base_low)), hn::Mul(hn::Mul(r, r), LogTail(r)));
  return hn::Add(sum, rest);
}

// From 0 to 1, where logarithms of 1 + e^−m need it. False: some number is outside.
bool Log1pOf(Real& x) {
  const Reals d;
  const Real one = hn::Set(d, 1);
  if (!hn::AllTrue(d, hn::And(hn::Ge(x, hn::Zero(d)), hn::Le(x, one)))) return false;
  const Real sum = hn::Add(one, x), other = hn::Sub(sum, one);
  const Real low = hn::Add(hn::Sub(one, hn::Sub(sum, other)), hn::Sub(x, other));
  const Real series = hn::Add(x, hn::Mul(hn::Mul(x, x), LogTail(x)));
  x = hn::IfThenElse(hn::Lt(x, hn::Set(d, 0x1p-8)), series, LogOf(sum, low));
  return true;
}

template <bool (*of)(Real&), double (*one)(double)>
void Each(double* x, std::size_t count) {
  const Reals d;
  std::size_t j = 0;
  for (; j + kRealWidth <= count; j += kRealWidth) {
    Real y = hn::LoadU(d, x + j);
    if (of(y))
      hn::StoreU(y, d, x + j);
    else
      for (std::size_t k = j; k < j + kRealWidth; ++k) x[k] = one(x[k]);
  }
  if (j == count) return;
  double few[kRealWidth] = {};  // both functions take 0
  for (std::size_t k = j; k < count; ++k) few[k - j] = x[k];
  Real y = hn::LoadU(d, few);
  const bool done = of(y);
  hn::StoreU(y, d, few);
  for (std::size_t k = j; k < count; ++k) x[k] = done ? few[k - j] : one(x[k]);
}

void ExpEach(double* x, std::size_t count) { Each<ExpOf, tarry::exp>(x, count); }
void Log1pEach(double* x, std::size_t count) { Each<Log1pOf, tarry::log1p>(x, count); }

}  // namespace tarry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tarry::kernels {

HWY_EXPORT(ExpEach);
HWY_EXPORT(Log1pEach);

void exp_each(std::span<double> x) { HWY_DYNAMIC_DISPATCH(ExpEach)(x.data(), x.size()); }
void log1p_each(std::span<double> x) { HWY_DYNAMIC_DISPATCH(Log1pEach)(x.data(), x.size()); }

}  // namespace tarry::kernels
#endif
