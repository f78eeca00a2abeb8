#include "tarry/linalg/gaussian.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/linalg/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tarry/linalg/gaussian.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// One group is eight Philox blocks: 16 pairs of 32-bit numbers (k, a), which become 16 pairs of Gaussians,
//   r = √(−2 ln u),  u = (⌊k/2⌋ + ½) 2⁻³¹,   (r cos θ, r sin θ),  θ from a's 30 high bits within a quarter turn and its
//   two low
// bits for the quarter. The first of each pair fill 16 places, the second the next 16.
#ifndef TARRY_GAUSSIAN_CONSTANTS
#define TARRY_GAUSSIAN_CONSTANTS
namespace tarry::gaussian {

constexpr std::size_t kGroup = 32;  // numbers
constexpr std::size_t kPairs = 16;
constexpr std::size_t kBlocks = 8;

struct Key {
  std::uint64_t seed;
  std::uint64_t stream;
};

// ln m for m in [√½, √2): s = f/(2+f), a minimax polynomial in s² (as in the C libraries descended from FreeBSD's).
constexpr float kLog[4] = {0.66666662693f, 0.40000972152f, 0.28498786688f, 0.24279078841f};
constexpr float kLn2High = 6.9313812256e-01f, kLn2Low = 9.0580006145e-06f;
constexpr std::uint32_t kRootHalf = 0x3f3504f3, kOne = 0x3f800000;

// sin and cos on [−π/4, π/4], minimax (as in Cephes).
constexpr float kSin[3] = {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f};
constexpr float kCos[3] = {4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f};
constexpr float kQuarterTurn = 1.57079632679489661923f * 0x1p-29f;  // per unit of a's 29 bits

}  // namespace tarry::gaussian
#endif

HWY_BEFORE_NAMESPACE();
namespace tarry::gaussian::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// The same formulas one number at a time, operation for operation.
struct Pair {
  float first, second, square;
};

inline Pair PairOf(std::uint32_t k, std::uint32_t a) {
  const float u = (static_cast<float>(static_cast<std::int32_t>(k >> 1)) + 0.5f) * 0x1p-31f;
  const std::uint32_t shifted = std::bit_cast<std::uint32_t>(u) + (kOne - kRootHalf);
  const float e = static_cast<float>(static_cast<std::int32_t>(shifted >> 23) - 127);
  const float f = std::bit_cast<float>((shifted & 0x007fffff) + kRootHalf) - 1.0f;
  const float s = f / (2.0f + f), z = s * s, w = z * z;
  const float r = z * (kLog[0] + w * kLog[2]) + w * (kLog[1] + w * kLog[3]);
  const float half = 0.5f * f * f;
  const float log = ((s * (half + r) + e * kLn2Low) - half) + f + e * kLn2High;
  const float square = std::max(0.0f, -2.0f * log);
  const float radius = std::sqrt(square);

  const float x = static_cast<float>(static_cast<std::int32_t>(a) >> 3) * kQuarterTurn + 0.5f * kQuarterTurn;
  const float x2 = x * x;
  const float sine = x + x * x2 * (kSin[0] + x2 * (kSin[1] + x2 * kSin[2]));
  const float cosine = (1.0f - 0.5f * x2) + x2 * x2 * (kCos[0] + x2 * (kCos[1] + x2 * kCos[2]));
  const bool swap = (a & 1) != 0, negate = (a & 2) != 0;
  const float c = swap ? -sine : cosine, d = swap ? cosine : sine;
  return {radius * (negate ? -c : c), radius * (negate ? -d : d), square};
}

double FillGroups(const Key& key, std::uint64_t first_group, std::size_t groups, float* out) {
  double total = 0;
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  for (std::size_t g = 0; g < groups; ++g, out += kGroup) {
    float squares[kPairs];
    for (std::size_t b = 0; b < kBlocks; ++b) {
      const std::uint64_t position = (first_group + g) * kBlocks + b;
      const auto bits =
          philox({low(position), high(position), low(key.stream), high(key.stream)}, {low(key.seed), high(key.seed)});
      for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t at = 2 * b + half;
        const Pair pair = PairOf(bits[half], bits[2 + half]);
        out[at] = pair.first;
        out[kPairs + at] = pair.second;
        squares[at] = pair.square;
      }
    }
    double sums[kBlocks];
    for (std::size_t b = 0; b < kBlocks; ++b)
      sums[b] = static_cast<double>(squares[2 * b]) + static_cast<double>(squares[2 * b + 1]);
    total += ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }
  return total;
}

#else

using Tag64 = hn::CappedTag<std::uint64_t, kBlocks>;
using Tag32 = hn::Repartition<std::uint32_t, Tag64>;
using TagI = hn::RebindToSigned<Tag32>;
using TagF = hn::RebindToFloat<Tag32>;
using V64 = hn::Vec<Tag64>;
using V32 = hn::Vec<Tag32>;
using VF = hn::Vec<TagF>;
constexpr std::size_t kWidth = hn::MaxLanes(Tag64());  // Philox blocks in a register

struct Bits {
  V32 k, a;
};

// Philox 4x32-10 on one counter a 64-bit lane; words live in the low halves, what is above them is never read.
HWY_INLINE Bits PhiloxBits(const Key& key, V64 position) {
  const Tag64 d;
  const Tag32 d32;
  const auto times = [&](V64 x, V64 y) { return hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, y)); };
  V64 c0 = position, c1 = hn::ShiftRight<32>(position);
  V64 c2 = hn::Set(d, key.stream & 0xffffffff), c3 = hn::Set(d, key.stream >> 32);
  const V64 m0 = hn::Set(d, 0xD2511F53), m1 = hn::Set(d, 0xCD9E8D57);
  auto k0 = static_cast<std::uint32_t>(key.seed), k1 = static_cast<std::uint32_t>(key.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const V64 left = times(m0, c0), right = times(m1, c2);
    c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(right), c1), hn::Set(d, k0));
    c1 = right;
    c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(left), c3), hn::Set(d, k1));
    c3 = left;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  const V64 low_half = hn::Set(d, 0xffffffff);
  const auto join = [&](V64 low, V64 high) {
    return hn::BitCast(d32, hn::Or(hn::And(low, low_half), hn::ShiftLeft<32>(high)));
  };
  return {join(c0, c1), join(c2, c3)};
}

// −2 ln u, for u = (⌊k/2⌋ + ½) 2⁻³¹.
HWY_INLINE VF MinusTwoLog(V32 k) {
  const Tag32 d32;
  const TagI di;
  const TagF df;
  const auto constant = [&](float x) { return hn::Set(df, x); };
  const VF count = hn::ConvertTo(df, hn::BitCast(di, hn::ShiftRight<1>(k)));
  const VF u = hn::Mul(hn::Add(count, constant(0.5f)), constant(0x1p-31f));
  const V32 shifted = hn::Add(hn::BitCast(d32, u), hn::Set(d32, kOne - kRootHalf));
  const VF e = hn::ConvertTo(df, hn::Sub(hn::BitCast(di, hn::ShiftRight<23>(shifted)), hn::Set(di, 127)));
  const V32 mantissa = hn::Add(hn::And(shifted, hn::Set(d32, 0x007fffff)), hn::Set(d32, kRootHalf));
  const VF f = hn::Sub(hn::BitCast(df, mantissa), constant(1.0f));
  const VF s = hn::Div(f, hn::Add(constant(2.0f), f)), z = hn::Mul(s, s), w = hn::Mul(z, z);
  const VF even = hn::Mul(z, hn::Add(constant(kLog[0]), hn::Mul(w, constant(kLog[2]))));
  const VF odd = hn::Mul(w, hn::Add(constant(kLog[1]), hn::Mul(w, constant(kLog[3]))));
  const VF r = hn::Add(even, odd);
  const VF half = hn::Mul(hn::Mul(constant(0.5f), f), f);
  const VF small = hn::Sub(hn::Add(hn::Mul(s, hn::Add(half, r)), hn::Mul(e, constant(kLn2Low))), half);
  const VF log = hn::Add(hn::Add(small, f), hn::Mul(e, constant(kLn2High)));
  return hn::Max(constant(0.0f), hn::Mul(constant(-2.0f), log));
}

struct Turn {
  VF cosine, sine;
};

HWY_INLINE Turn TurnOf(V32 a) {
  const Tag32 d32;
  const TagI di;
  const TagF df;
  const auto constant = [&](float x) { return hn::Set(df, x); };
  const VF steps = hn::ConvertTo(df, hn::ShiftRight<3>(hn::BitCast(di, a)));
  const VF x = hn::Add(hn::Mul(steps, constant(kQuarterTurn)), constant(0.5f * kQuarterTurn));
  const VF x2 = hn::Mul(x, x);
  const auto horner = [&](const float* p) {
    return hn::Add(constant(p[0]), hn::Mul(x2, hn::Add(constant(p[1]), hn::Mul(x2, constant(p[2])))));
  };
  const VF sine = hn::Add(x, hn::Mul(hn::Mul(x, x2), horner(kSin)));
  const VF cosine =
      hn::Add(hn::Sub(constant(1.0f), hn::Mul(constant(0.5f), x2)), hn::Mul(hn::Mul(x2, x2), horner(kCos)));
  const auto swap = hn::RebindMask(df, hn::Ne(hn::And(a, hn::Set(d32, 1)), hn::Zero(d32)));
  const VF sign = hn::BitCast(df, hn::ShiftLeft<30>(hn::And(a, hn::Set(d32, 2))));  // bit 1 → the sign
  const VF c = hn::IfThenElse(swap, hn::Neg(sine), cosine), s = hn::IfThenElse(swap, cosine, sine);
  return {hn::Xor(c, sign), hn::Xor(s, sign)};
}

double FillGroups(const Key& key, std::uint64_t first_group, std::size_t groups, float* out) {
  const Tag64 d;
  const TagF df;
  const hn::Repartition<double, Tag64> dd;
  double total = 0;
  for (std::size_t g = 0; g < groups; ++g, out += kGroup) {
    double sums[kBlocks];
    for (std::size_t b = 0; b < kBlocks; b += kWidth) {
      const Bits bits = PhiloxBits(key, hn::Iota(d, (first_group + g) * kBlocks + b));
      const VF square = MinusTwoLog(bits.k), radius = hn::Sqrt(square);
      const Turn turn = TurnOf(bits.a);
      hn::StoreU(hn::Mul(radius, turn.cosine), df, out + 2 * b);
      hn::StoreU(hn::Mul(radius, turn.sine), df, out + kPairs + 2 * b);
      // cos² + sin² = 1: the sum of squares is that of the radii. Neighbouring pairs are added in double.
      const V64 both = hn::BitCast(d, square);
      const hn::Rebind<float, decltype(dd)> df_half;
      const auto even =
          hn::PromoteTo(dd, hn::BitCast(df_half, hn::TruncateTo(hn::Rebind<std::uint32_t, decltype(dd)>(), both)));
      const auto odd = hn::PromoteTo(dd, hn::BitCast(df_half, hn::TruncateTo(hn::Rebind<std::uint32_t, decltype(dd)>(),
                                                                             hn::ShiftRight<32>(both))));
      hn::StoreU(hn::Add(even, odd), dd, sums + b);
    }
    total += ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }
  return total;
}

#endif

}  // namespace tarry::gaussian::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tarry {
namespace gaussian {
HWY_EXPORT(FillGroups);
}

double fill_gaussian(std::uint64_t seed, std::uint64_t stream, std::span<float> z) {
  using gaussian::kGroup;
  constexpr Index kChunk = 16384;
  const auto n = static_cast<Index>(z.size());
  const gaussian::Key key{seed, stream};
  std::vector<double> sums(static_cast<std::size_t>((n + kChunk - 1) / kChunk), 0.0);
  const auto fill = [&](Index chunk, Index begin, Index end) {
    const auto at = static_cast<std::size_t>(begin), length = static_cast<std::size_t>(end - begin);
    const std::size_t whole = length / kGroup, rest = length % kGroup;
    double sum = HWY_DYNAMIC_DISPATCH(gaussian::FillGroups)(key, at / kGroup, whole, z.data() + at);
    if (rest > 0) {  // only the last chunk: not all of its group is wanted
      std::array<float, kGroup> last;
      HWY_DYNAMIC_DISPATCH(gaussian::FillGroups)(key, at / kGroup + whole, 1, last.data());
      std::copy_n(last.begin(), rest, z.begin() + begin + static_cast<Index>(whole * kGroup));
      for (std::size_t i = 0; i < rest; ++i) sum += static_cast<double>(last[i]) * static_cast<double>(last[i]);
    }
    sums[static_cast<std::size_t>(chunk)] = sum;
  };
  if (n > kChunk)
    parallel_chunks(n, kChunk, fill);
  else if (n > 0)
    fill(0, 0, n);
  double total = 0;
  for (double sum : sums) total += sum;
  return total;
}

}  // namespace tarry
#endif  // HWY_ONCE
