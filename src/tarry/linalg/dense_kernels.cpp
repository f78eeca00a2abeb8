#include "tarry/linalg/dense_kernels.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "tarry/base/contract.h"
#include "tarry/linalg/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tarry/linalg/dense_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// ---- compiled once for every instruction set; each works on one chunk, in one thread
HWY_BEFORE_NAMESPACE();
namespace tarry::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Lane = hn::Vec<Tag>;
constexpr std::size_t kLanes = 8;
constexpr std::size_t kWidth = hn::MaxLanes(Tag());  // doubles in a register
constexpr std::size_t kRegisters = kLanes / kWidth;  // registers that make eight lanes

// Eight running sums (or maxima), whatever the width of a register.
struct Lanes {
  Lane part[kRegisters];
  explicit Lanes(double x) {
    for (auto& v : part) v = hn::Set(Tag(), x);
  }
  void spill(double* out) const {
    for (std::size_t k = 0; k < kRegisters; ++k) hn::StoreU(part[k], Tag(), out + k * kWidth);
  }
};

// The tail that does not fill eight lanes goes to lanes 0, 1, ...: the same on every target.
struct Spilled {
  double at[kLanes];
  explicit Spilled(const Lanes& lanes) { lanes.spill(at); }
  double sum() const { return ((at[0] + at[1]) + (at[2] + at[3])) + ((at[4] + at[5]) + (at[6] + at[7])); }
  double max() const { return *std::max_element(at, at + kLanes); }
};

template <Need need, bool kHasGradient, bool kWritesC>
ChunkSums SweepOne(const SweepPass& pass, std::size_t begin, std::size_t end) {
  const Tag d;
  double* p = pass.p.data();
  const double* z = pass.z.data();
  const double* g = pass.g.data();
  double* c = pass.c.data();
  const Lane a = hn::Set(d, pass.a), gamma = hn::Set(d, pass.gamma_s), b = hn::Set(d, pass.b_s);
  Lanes cz(0), zz(0), best(-std::numeric_limits<double>::infinity());
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    for (std::size_t k = 0; k < kRegisters; ++k) {
      const std::size_t at = i + k * kWidth;
      const Lane zi = hn::LoadU(d, z + at);
      Lane pi = hn::LoadU(d, p + at);
      if constexpr (kHasGradient) pi = hn::Add(pi, hn::Mul(a, hn::LoadU(d, g + at)));
      pi = hn::Add(pi, hn::Mul(gamma, zi));
      hn::StoreU(pi, d, p + at);
      const Lane ci = hn::Add(pi, hn::Mul(b, zi));
      if constexpr (kWritesC) hn::StoreU(ci, d, c + at);
      cz.part[k] = hn::Add(cz.part[k], hn::Mul(ci, zi));
      zz.part[k] = hn::Add(zz.part[k], hn::Mul(zi, zi));
      if constexpr (need == Need::kMaxAbs) best.part[k] = hn::Max(best.part[k], hn::Abs(ci));
      if constexpr (need == Need::kMin) best.part[k] = hn::Max(best.part[k], hn::Neg(ci));
    }
  }
  Spilled cz_sum(cz), zz_sum(zz), best_key(best);
  for (std::size_t lane = 0; i < end; ++i, ++lane) {
    if constexpr (kHasGradient) p[i] += pass.a * g[i];
    p[i] += pass.gamma_s * z[i];
    const double ci = p[i] + pass.b_s * z[i];
    if constexpr (kWritesC) c[i] = ci;
    cz_sum.at[lane] += ci * z[i];
    zz_sum.at[lane] += z[i] * z[i];
    if constexpr (need != Need::kDense) best_key.at[lane] = std::max(best_key.at[lane], extreme_key(ci, need));
  }
  return {cz_sum.sum(), zz_sum.sum(), best_key.max()};
}

template <Need need>
ChunkSums SweepNeed(const SweepPass& pass, std::size_t begin, std::size_t end) {
  if constexpr (need == Need::kDense)
    return pass.g.empty() ? SweepOne<need, false, true>(pass, begin, end)
                          : SweepOne<need, true, true>(pass, begin, end);
  else
    return pass.g.empty() ? SweepOne<need, false, false>(pass, begin, end)
                          : SweepOne<need, true, false>(pass, begin, end);
}

ChunkSums SweepChunk(const SweepPass& pass, std::size_t begin, std::size_t end) {
  switch (pass.need) {
    case Need::kMaxAbs:
      return SweepNeed<Need::kMaxAbs>(pass, begin, end);
    case Need::kMin:
      return SweepNeed<Need::kMin>(pass, begin, end);
    case Need::kDense:
    case Need::kTopPair:
    case Need::kBlocks:  // a block track sweeps each block by itself
      break;
  }
  return SweepNeed<Need::kDense>(pass, begin, end);
}

double DotChunk(const double* x, const double* y, std::size_t n) {
  const Tag d;
  Lanes sum(0);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t k = 0; k < kRegisters; ++k) {
      const std::size_t at = i + k * kWidth;
      sum.part[k] = hn::Add(sum.part[k], hn::Mul(hn::LoadU(d, x + at), hn::LoadU(d, y + at)));
    }
  Spilled total(sum);
  for (std::size_t lane = 0; i < n; ++i, ++lane) total.at[lane] += x[i] * y[i];
  return total.sum();
}

SegmentSums SegmentChunk(const SegmentPass& args, std::size_t begin, std::size_t end) {
  const Tag d;
  const Lane s = hn::Set(d, args.s), b = hn::Set(d, args.b);
  Lanes gap(0), width(0);
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes)
    for (std::size_t k = 0; k < kRegisters; ++k) {
      const std::size_t at = i + k * kWidth;
      const Lane y = hn::Mul(s, hn::LoadU(d, args.z + at));
      const Lane c = hn::Add(hn::LoadU(d, args.p + at), hn::Mul(b, y));
      const Lane away = hn::Sub(y, hn::LoadU(d, args.v + at));
      gap.part[k] = hn::Add(gap.part[k], hn::Mul(c, away));
      width.part[k] = hn::Add(width.part[k], hn::Mul(away, away));
    }
  Spilled gap_sum(gap), width_sum(width);
  for (std::size_t lane = 0; i < end; ++i, ++lane) {
    const double y = args.s * args.z[i], away = y - args.v[i];
    gap_sum.at[lane] += (args.p[i] + args.b * y) * away;
    width_sum.at[lane] += away * away;
  }
  return {gap_sum.sum(), width_sum.sum()};
}

double BestKeyChunk(const double* c, std::size_t n, Need need) {
  const Tag d;
  Lanes best(-std::numeric_limits<double>::infinity());
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t k = 0; k < kRegisters; ++k) {
      const Lane ci = hn::LoadU(d, c + i + k * kWidth);
      best.part[k] = hn::Max(best.part[k], need == Need::kMaxAbs ? hn::Abs(ci) : hn::Neg(ci));
    }
  Spilled key(best);
  for (; i < n; ++i) key.at[0] = std::max(key.at[0], extreme_key(c[i], need));
  return key.max();
}

HWY_INLINE Lane PerturbedAt(const Perturbed& c, Lane scale, std::size_t at) {
  const Tag d;
  const hn::Rebind<float, Tag> single;
  const Lane z = hn::PromoteTo(d, hn::LoadU(single, c.z.data() + at));
  return hn::Sub(hn::LoadU(d, c.g.data() + at), hn::Mul(scale, z));
}

double PerturbedBestChunk(const Perturbed& c, Need need, std::size_t begin, std::size_t end) {
  const Lane scale = hn::Set(Tag(), c.scale);
  Lanes best(-std::numeric_limits<double>::infinity());
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes)
    for (std::size_t k = 0; k < kRegisters; ++k) {
      const Lane ci = PerturbedAt(c, scale, i + k * kWidth);
      best.part[k] = hn::Max(best.part[k], need == Need::kMaxAbs ? hn::Abs(ci) : hn::Neg(ci));
    }
  Spilled key(best);
  for (; i < end; ++i) key.at[0] = std::max(key.at[0], extreme_key(c.at(i), need));
  return key.max();
}

void PerturbedWriteChunk(const Perturbed& c, double* out, std::size_t begin, std::size_t end) {
  const Lane scale = hn::Set(Tag(), c.scale);
  std::size_t i = begin;
  for (; i + kWidth <= end; i += kWidth) hn::StoreU(PerturbedAt(c, scale, i), Tag(), out + i);
  for (; i < end; ++i) out[i] = c.at(i);
}

template <bool kHasZ>
std::size_t FindKey(const KeyScan& scan, double key, std::size_t from, std::size_t end) {
  const Tag d;
  const Lane b = hn::Set(d, scan.b_s), wanted = hn::Set(d, key);
  const double *p = scan.p.data(), *z = scan.z.data();
  std::size_t i = from;
  for (; i + kWidth <= end; i += kWidth) {
    Lane c = hn::LoadU(d, p + i);
    if constexpr (kHasZ) c = hn::Add(c, hn::Mul(b, hn::LoadU(d, z + i)));
    const auto hit = hn::Eq(scan.need == Need::kMaxAbs ? hn::Abs(c) : hn::Neg(c), wanted);
    if (!hn::AllFalse(d, hit)) return i + static_cast<std::size_t>(hn::FindFirstTrue(d, hit));
  }
  while (i < end && extreme_key(scan.c(i), scan.need) != key) ++i;
  return i;
}

std::size_t FindKeyChunk(const KeyScan& scan, double key, std::size_t from, std::size_t end) {
  return scan.z.empty() ? FindKey<false>(scan, key, from, end) : FindKey<true>(scan, key, from, end);
}

void BlendChunk(double* z, const double* v, double keep, double weight, std::size_t n) {
  const Tag d;
  const Lane k0 = hn::Set(d, keep), w = hn::Set(d, weight);
  std::size_t i = 0;
  for (; i + kWidth <= n; i += kWidth)
    hn::StoreU(hn::Add(hn::Mul(k0, hn::LoadU(d, z + i)), hn::Mul(w, hn::LoadU(d, v + i))), d, z + i);
  for (; i < n; ++i) z[i] = keep * z[i] + weight * v[i];
}

}  // namespace tarry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

// ---- compiled once: chunks over threads, results combined in chunk order
#if HWY_ONCE
namespace tarry::kernels {
namespace {

HWY_EXPORT(SweepChunk);
HWY_EXPORT(DotChunk);
HWY_EXPORT(SegmentChunk);
HWY_EXPORT(BestKeyChunk);
HWY_EXPORT(FindKeyChunk);
HWY_EXPORT(BlendChunk);
HWY_EXPORT(PerturbedBestChunk);
HWY_EXPORT(PerturbedWriteChunk);

constexpr Index kChunk = 16384;              // doubles: three arrays of them stay in the second-level cache
constexpr Index kParallelFrom = 4 * kChunk;  // below, waking a thread costs more than it saves

// Sums body(begin, end) over chunks, in chunk order.
template <class Part, class Body>
std::vector<Part> over_chunks(std::size_t n, Body body) {
  std::vector<Part> parts((n + kChunk - 1) / kChunk);
  const auto one = [&](Index k, Index begin, Index end) {
    parts[static_cast<std::size_t>(k)] = body(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  };
  const auto length = static_cast<Index>(n);
  if (length >= kParallelFrom)
    parallel_chunks(length, kChunk, one);
  else
    for (Index k = 0; k * kChunk < length; ++k) one(k, k * kChunk, std::min(length, (k + 1) * kChunk));
  return parts;
}

// The first position that holds the best key. Chunks know their best: only the first with the best of all is searched.
template <class Parts, class KeyOf>
Extreme locate(const KeyScan& scan, const Parts& parts, KeyOf key_of) {
  std::size_t chunk = 0;
  for (std::size_t k = 1; k < parts.size(); ++k)
    if (key_of(parts[k]) > key_of(parts[chunk])) chunk = k;
  const std::size_t begin = chunk * kChunk, end = std::min(scan.p.size(), begin + kChunk);
  const std::size_t found = find_key(scan, key_of(parts[chunk]), begin, end);
  const std::size_t at = found < end ? found : begin;
  return {static_cast<Index>(at), scan.c(at)};
}

}  // namespace

std::size_t find_key(const KeyScan& scan, double key, std::size_t from, std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(FindKeyChunk)(scan, key, from, end);
}

SweepSums sweep(const SweepPass& pass) {
  ensure(pass.p.size() == pass.z.size() && (pass.g.empty() || pass.g.size() == pass.z.size()) &&
             (pass.c.empty() || pass.c.size() == pass.z.size()),
         "a sweep passes over arrays of one length");
  const std::size_t n = pass.p.size();
  const auto parts = over_chunks<ChunkSums>(
      n, [&](std::size_t begin, std::size_t end) { return HWY_DYNAMIC_DISPATCH(SweepChunk)(pass, begin, end); });
  SweepSums sums;
  for (const ChunkSums& part : parts) {
    sums.cz += part.cz;
    sums.zz += part.zz;
  }
  if (pass.need != Need::kDense && n > 0)
    sums.extreme =
        locate({pass.p, pass.z, pass.b_s, pass.need}, parts, [](const ChunkSums& part) { return part.best; });
  return sums;
}

Extreme extreme(std::span<const double> c, Need need) {
  const auto parts = over_chunks<double>(c.size(), [&](std::size_t begin, std::size_t end) {
    return HWY_DYNAMIC_DISPATCH(BestKeyChunk)(c.data() + begin, end - begin, need);
  });
  return locate({c, {}, 0, need}, parts, [](double key) { return key; });
}

Extreme extreme(const Perturbed& c, Need need) {
  const auto parts = over_chunks<double>(c.g.size(), [&](std::size_t begin, std::size_t end) {
    return HWY_DYNAMIC_DISPATCH(PerturbedBestChunk)(c, need, begin, end);
  });
  const auto best = static_cast<std::size_t>(std::max_element(parts.begin(), parts.end()) - parts.begin());
  std::size_t i = best * kChunk;
  while (i + 1 < c.g.size() && extreme_key(c.at(i), need) != parts[best]) ++i;
  return {static_cast<Index>(i), c.at(i)};
}

void write(const Perturbed& c, std::span<double> out) {
  over_chunks<char>(out.size(), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(PerturbedWriteChunk)(c, out.data(), begin, end);
    return char{};
  });
}

double dot(std::span<const double> x, std::span<const double> y) {
  ensure(x.size() <= y.size(), "both sides of a product are there");
  if (static_cast<Index>(x.size()) <= kChunk) return 0 + HWY_DYNAMIC_DISPATCH(DotChunk)(x.data(), y.data(), x.size());
  const auto parts = over_chunks<double>(x.size(), [&](std::size_t begin, std::size_t end) {
    return HWY_DYNAMIC_DISPATCH(DotChunk)(x.data() + begin, y.data() + begin, end - begin);
  });
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}

double sum_of_squares(std::span<const double> x) { return dot(x, x); }

SegmentSums segment(const SegmentPass& pass, std::size_t n) {
  const auto parts = over_chunks<SegmentSums>(
      n, [&](std::size_t begin, std::size_t end) { return HWY_DYNAMIC_DISPATCH(SegmentChunk)(pass, begin, end); });
  SegmentSums sums;
  for (const SegmentSums& part : parts) {
    sums.gap += part.gap;
    sums.width += part.width;
  }
  return sums;
}

void blend(std::span<double> z, double keep, std::span<const double> v, double weight) {
  ensure(z.size() <= v.size(), "both sides of a sum are there");
  over_chunks<char>(z.size(), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(BlendChunk)(z.data() + begin, v.data() + begin, keep, weight, end - begin);
    return char{};
  });
}

}  // namespace tarry::kernels
#endif  // HWY_ONCE
