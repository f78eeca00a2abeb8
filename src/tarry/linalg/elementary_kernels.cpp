#include "tarry/linalg/elementary_kernels.h"

#include <cstdint>
#include <limits>

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

// Step by step what base/elementary.cpp does where nothing is subnormal or at the edge. False: some number is. e^(x +
// low), with a small `low`.
HWY_INLINE bool ExpOf(Real& x, Real low) {
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
      hn::Add(hn::Sub(x, hn::Mul(k, hn::Set(d, kStep.high))), hn::Sub(low, hn::Mul(k, hn::Set(d, kStep.low))));
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

HWY_INLINE bool ExpOf(Real& x) { return ExpOf(x, hn::Zero(Reals())); }

HWY_INLINE Real LogTail(Real r) {
  const Reals d;
  const auto both = [&](double a, double b) HWY_ATTR { return hn::Add(hn::Set(d, a), hn::Mul(r, hn::Set(d, b))); };
  const Real s = hn::Mul(r, r);
  const Real lower = hn::Add(both(-1.0 / 2, 1.0 / 3), hn::Mul(s, both(-1.0 / 4, 1.0 / 5)));
  const Real upper = hn::Add(both(-1.0 / 6, 1.0 / 7), hn::Mul(s, both(-1.0 / 8, 1.0 / 9)));
  return hn::Add(lower, hn::Mul(hn::Mul(s, s), upper));
}

// ln(high + low) for 1 ≤ high ≤ 2 and low below its last place: k is 0 or 1.
HWY_INLINE Real LogOf(Real high, Real low) {
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
HWY_INLINE bool Log1pOf(Real& x) {
  const Reals d;
  const Real one = hn::Set(d, 1);
  if (!hn::AllTrue(d, hn::And(hn::Ge(x, hn::Zero(d)), hn::Le(x, one)))) return false;
  const Real sum = hn::Add(one, x), other = hn::Sub(sum, one);
  const Real low = hn::Add(hn::Sub(one, hn::Sub(sum, other)), hn::Sub(x, other));
  const Real series = hn::Add(x, hn::Mul(hn::Mul(x, x), LogTail(x)));
  x = hn::IfThenElse(hn::Lt(x, hn::Set(d, 0x1p-8)), series, LogOf(sum, low));
  return true;
}

// The same of every number, by plain code where that is needed.
template <bool (*of)(Real&), double (*one)(double)>
HWY_INLINE Real Any(Real x) {
  Real y = x;
  if (of(y)) return y;
  const Reals d;
  double few[kRealWidth];
  hn::StoreU(x, d, few);
  for (double& each : few) each = one(each);
  return hn::LoadU(d, few);
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

// Calls of(numbers) for all numbers, the last with zeros behind them.
template <class Of>
HWY_ATTR void All(const double* x, std::size_t count, double* out, Of of) {
  const Reals d;
  std::size_t j = 0;
  for (; j + kRealWidth <= count; j += kRealWidth) hn::StoreU(of(hn::LoadU(d, x + j)), d, out + j);
  if (j == count) return;
  double few[kRealWidth] = {};
  for (std::size_t k = j; k < count; ++k) few[k - j] = x[k];
  hn::StoreU(of(hn::LoadU(d, few)), d, few);
  for (std::size_t k = j; k < count; ++k) out[k] = few[k - j];
}

// The slope of the logistic loss.
struct LogisticSlope {
  Real whole, label;

  LogisticSlope(double y, double weight) : whole(hn::Set(Reals(), -y * weight)), label(hn::Set(Reals(), y)) {}

  HWY_INLINE Real operator()(Real prediction) const {
    const Reals d;
    const Real m = hn::Mul(label, prediction), e = Any<ExpOf, tarry::exp>(hn::Neg(hn::Abs(m)));
    return hn::Div(hn::IfThenElse(hn::Gt(m, hn::Zero(d)), hn::Mul(whole, e), whole), hn::Add(hn::Set(d, 1), e));
  }
};

void LogisticSlopes(const double* p, std::size_t count, double y, double weight, double* slopes) {
  const LogisticSlope slope(y, weight);
  All(p, count, slopes, [&](Real prediction) HWY_ATTR { return slope(prediction); });
}

// What learners/descent/implicit_searches.h does, step by step, in eight lanes whose slopes are the logistic loss's.
class LogisticSearches {
 public:
  LogisticSearches(const double* p, const double* reach, const double* first, double little) {
    for (std::size_t r = 0; r < kGroup; ++r) {
      const std::size_t o = r * kRealWidth;
      p_[r] = hn::LoadU(d_, p + o);
      reach_[r] = hn::LoadU(d_, reach + o);
      first_[r] = high_[r] = asked_[r] = hn::LoadU(d_, first + o);
      const auto is_little = hn::Le(hn::Abs(hn::Mul(first_[r], reach_[r])), hn::Set(d_, little));
      open_[r] = hn::Not(hn::Or(is_little, hn::Eq(first_[r], hn::Zero(d_))));
    }
  }

  HWY_INLINE bool Run(const LogisticSlope& slope) {
    const Real zero = hn::Zero(d_), same = hn::Set(d_, 1 + 1e-12), off = hn::Set(d_, (1 + 1e-12) - 1);
    if (!Any()) return false;
    for (std::size_t r = 0; r < kGroup; ++r) {
      at_high_[r] = At(slope, r);
      open_[r] = hn::AndNot(hn::Ge(hn::Mul(hn::Abs(at_high_[r]), same), hn::Abs(high_[r])), open_[r]);
      low_[r] = asked_[r] = hn::IfThenElseZero(hn::Gt(hn::Mul(at_high_[r], first_[r]), zero), at_high_[r]);
    }
    if (!Any()) return false;
    for (std::size_t r = 0; r < kGroup; ++r) {
      const Real off_high = hn::Sub(high_[r], at_high_[r]), off_low = hn::Sub(low_[r], At(slope, r));
      const Real part = hn::Div(hn::Sub(high_[r], low_[r]), hn::Sub(off_high, off_low));
      Ask(r, hn::Sub(high_[r], hn::Mul(off_high, part)));
    }
    for (int guess = 0; guess < 2 && Any(); ++guess)
      for (std::size_t r = 0; r < kGroup; ++r) {
        const Real guessed = asked_[r], at = At(slope, r), size = hn::Abs(guessed);
        const auto near = hn::Or(hn::Le(hn::Mul(at, first_[r]), zero), hn::Ge(hn::Mul(size, same), hn::Abs(at)));
        high_[r] = hn::IfThenElse(hn::And(near, open_[r]), guessed, high_[r]);
        low_[r] = hn::IfThenElse(hn::AndNot(near, open_[r]), guessed, low_[r]);
        open_[r] = hn::AndNot(hn::Le(hn::Abs(hn::Sub(guessed, at)), hn::Mul(off, size)), open_[r]);
        Ask(r, hn::Add(low_[r], hn::Mul(hn::Sub(high_[r], low_[r]), hn::Set(d_, 0.5))));
      }
    return true;
  }
  void Write(double* found) const {
    for (std::size_t r = 0; r < kGroup; ++r) hn::StoreU(high_[r], d_, found + r * kRealWidth);
  }
  static constexpr std::size_t kLanes = 8;

 private:
  static constexpr std::size_t kGroup = kLanes / kRealWidth;

  HWY_INLINE bool Any() const {
    auto all = open_[0];
    for (std::size_t r = 1; r < kGroup; ++r) all = hn::Or(all, open_[r]);
    return !hn::AllFalse(d_, all);
  }
  HWY_INLINE void Ask(std::size_t r, Real s) {
    asked_[r] = s;
    open_[r] = hn::And(open_[r], hn::Le(hn::Abs(s), hn::Set(d_, std::numeric_limits<double>::max())));
  }
  HWY_INLINE Real At(const LogisticSlope& slope, std::size_t r) {
    asked_[r] = hn::IfThenElseZero(open_[r], asked_[r]);
    return slope(hn::Sub(p_[r], hn::Mul(asked_[r], reach_[r])));
  }

  static constexpr Reals d_ = {};
  Real p_[kGroup], reach_[kGroup], first_[kGroup], high_[kGroup], at_high_[kGroup], low_[kGroup], asked_[kGroup];
  hn::Mask<Reals> open_[kGroup];
};

void LogisticImplicit(const double* p, const double* reach, std::size_t count, double y, double weight, double little,
                      double* slopes) {
  constexpr std::size_t kLanes = LogisticSearches::kLanes;
  const LogisticSlope slope(y, weight);
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    LogisticSearches searches(p + j, reach + j, slopes + j, little);
    if (searches.Run(slope)) searches.Write(slopes + j);
  }
  if (j == count) return;
  double few[3][kLanes] = {};  // a slope of 0 is not searched for
  for (std::size_t k = j; k < count; ++k) {
    few[0][k - j] = p[k];
    few[1][k - j] = reach[k];
    few[2][k - j] = slopes[k];
  }
  LogisticSearches searches(few[0], few[1], few[2], little);
  if (searches.Run(slope)) searches.Write(few[2]);
  for (std::size_t k = j; k < count; ++k) slopes[k] = few[2][k - j];
}

void LogisticValues(const double* p, std::size_t count, double y, double weight, double* values) {
  const Reals d;
  const Real by = hn::Set(d, weight), label = hn::Set(d, y);
  All(p, count, values, [&](Real prediction) HWY_ATTR {
    const Real m = hn::Mul(label, prediction), e = Any<ExpOf, tarry::exp>(hn::Neg(hn::Abs(m)));
    const Real log = Any<Log1pOf, tarry::log1p>(e);
    return hn::Mul(by, hn::IfThenElse(hn::Gt(m, hn::Zero(d)), log, hn::Sub(log, m)));
  });
}

Real LongLogTail(Real r) {
  const Reals d;
  const auto both = [&](double a, double b) HWY_ATTR { return hn::Add(hn::Set(d, a), hn::Mul(r, hn::Set(d, b))); };
  const Real s = hn::Mul(r, r);
  const Real lower = hn::Add(both(1.0 / 3, -1.0 / 4), hn::Mul(s, both(1.0 / 5, -1.0 / 6)));
  const Real upper = hn::Add(both(1.0 / 7, -1.0 / 8), hn::Mul(s, both(1.0 / 9, -1.0 / 10)));
  return hn::Add(lower, hn::Mul(hn::Mul(s, s), upper));
}

struct TwoReals {
  Real high, low;
};

HWY_INLINE TwoReals FastTwoSum(Real a, Real b) {
  const Real sum = hn::Add(a, b);
  return {sum, hn::Sub(b, hn::Sub(sum, a))};
}

// ln x of positive normal numbers, to 67 bits.
TwoReals LongLogOf(Real x) {
  constexpr DoubleDouble kLn2Grid = el::on_grid(el::kLn2);
  const Reals d;
  const Places i;
  const hn::RebindToUnsigned<Reals> u;
  const Bits bits = hn::BitCast(u, x);
  const Bits from_first = hn::Sub(bits, hn::BitCast(u, hn::Set(d, el::kFirstCell)));
  const Bits z_bits = hn::Sub(bits, hn::ShiftLeft<kAfterPoint>(hn::ShiftRight<kAfterPoint>(from_first)));
  const Bits cell = hn::And(hn::ShiftRight<kAfterPoint - el::kTableBits>(from_first), hn::Set(u, el::kTable - 1));
  const auto at = hn::BitCast(i, hn::Add(hn::Add(cell, cell), cell));
  const double* table = &el::kCells[0].inverse;
  const Real inverse = hn::GatherIndex(d, table, at), log_high = hn::GatherIndex(d, table + 1, at),
             log_low = hn::GatherIndex(d, table + 2, at);
  const Real z = hn::BitCast(d, z_bits);
  const Bits rounded = hn::Add(z_bits, hn::Set(u, std::uint64_t{1} << 34));
  const Real z_head = hn::BitCast(d, hn::ShiftLeft<35>(hn::ShiftRight<35>(rounded)));
  const Real head = hn::Sub(hn::Mul(z_head, inverse), hn::Set(d, 1));
  const Real small = hn::Mul(hn::Sub(z, z_head), inverse);
  const Real k = hn::ConvertTo(d, hn::ShiftRight<kAfterPoint>(hn::BitCast(i, from_first)));
  const Real half = hn::Set(d, 0.5);
  const TwoReals r = FastTwoSum(head, small);
  const Real base_low = hn::Add(hn::Mul(k, hn::Set(d, kLn2Grid.low)), log_low);
  const TwoReals first = FastTwoSum(hn::Add(hn::Mul(k, hn::Set(d, kLn2Grid.high)), log_high), r.high);
  const TwoReals second = FastTwoSum(first.high, hn::Mul(hn::Mul(hn::Neg(half), head), head));
  const Real low = hn::Add(hn::Add(first.low, hn::Add(r.low, base_low)),
                           hn::Sub(second.low, hn::Mul(hn::Mul(half, small), hn::Add(head, r.high))));
  const Real cube = hn::Mul(hn::Mul(r.high, r.high), r.high);
  return FastTwoSum(second.high, hn::Add(low, hn::Mul(cube, LongLogTail(r.high))));
}

// x^y for 0 ≤ x ≤ 1. False: some number needs plain code.
bool PowOf(Real& x, double power) {
  constexpr double kLeast = 0x1p-1022;
  const Reals d;
  const hn::RebindToUnsigned<Reals> u;
  const auto first_half = [&](Real number) HWY_ATTR {
    return hn::BitCast(d, hn::ShiftLeft<27>(hn::ShiftRight<27>(hn::BitCast(u, number))));
  };
  const Real one = hn::Set(d, 1);
  const auto zero = hn::Eq(x, hn::Zero(d));
  const Real size = hn::IfThenElse(zero, one, x);
  if (!hn::AllTrue(d, hn::And(hn::Ge(size, hn::Set(d, kLeast)), hn::Le(size, one)))) return false;
  const TwoReals log = LongLogOf(size);
  const Real y = hn::Set(d, power), y_head = first_half(y), log_head = first_half(log.high);
  const Real low =
      hn::Add(hn::Mul(hn::Sub(y, y_head), log_head), hn::Mul(y, hn::Add(hn::Sub(log.high, log_head), log.low)));
  Real power_of = hn::Mul(y_head, log_head);
  if (!ExpOf(power_of, low)) return false;
  x = hn::IfThenElse(zero, hn::Zero(d), hn::IfThenElse(hn::Eq(x, one), one, power_of));
  return true;
}

void PowEach(double* x, std::size_t count, double y) {
  const bool ordinary = y > 0x1p-60 && y < 0x1p60;
  All(x, count, x, [&](Real numbers) HWY_ATTR {
    Real powers = numbers;
    if (ordinary && PowOf(powers, y)) return powers;
    const Reals d;
    double few[kRealWidth];
    hn::StoreU(numbers, d, few);
    for (double& each : few) each = tarry::pow(each, y);
    return hn::LoadU(d, few);
  });
}

}  // namespace tarry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tarry::kernels {

HWY_EXPORT(ExpEach);
HWY_EXPORT(Log1pEach);
HWY_EXPORT(PowEach);
HWY_EXPORT(LogisticSlopes);
HWY_EXPORT(LogisticImplicit);
HWY_EXPORT(LogisticValues);

void exp_each(std::span<double> x) { HWY_DYNAMIC_DISPATCH(ExpEach)(x.data(), x.size()); }
void log1p_each(std::span<double> x) { HWY_DYNAMIC_DISPATCH(Log1pEach)(x.data(), x.size()); }
void pow_each(std::span<double> x, double y) { HWY_DYNAMIC_DISPATCH(PowEach)(x.data(), x.size(), y); }

void logistic_slopes(std::span<const double> p, double y, double weight, std::span<double> slopes) {
  HWY_DYNAMIC_DISPATCH(LogisticSlopes)(p.data(), p.size(), y, weight, slopes.data());
}

void logistic_implicit(std::span<const double> p, std::span<const double> reach, double y, double weight, double little,
                       std::span<double> slopes) {
  HWY_DYNAMIC_DISPATCH(LogisticImplicit)
  (p.data(), reach.data(), slopes.size(), y, weight, little, slopes.data());
}

void logistic_values(std::span<const double> p, double y, double weight, std::span<double> values) {
  HWY_DYNAMIC_DISPATCH(LogisticValues)(p.data(), p.size(), y, weight, values.data());
}

}  // namespace tarry::kernels
#endif
