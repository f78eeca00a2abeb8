#include "tarry/base/elementary.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tarry/base/elementary_tables.h"

namespace tarry {
namespace {

using namespace elementary;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounder = 0x1.8p52;  // adding it leaves the nearest whole number in the low bits
constexpr int kFraction = 52;          // bits of a double after its point

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
double power_of_two(int e) { return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << kFraction); }

// --- exponentials: 2^m · 2^(j/128) · e^r with |r| ≤ ln 2 / 256

// root (1 + more) 2^m where the power alone may lie outside the doubles.
double far_from_one(double root, double more, int m) {
  if (m > 0) {
    const double half = root * power_of_two(m - 1);
    return 2 * (half + half * more);
  }
  const double raised = root * power_of_two(m + 1022);
  double y = raised + raised * more;
  if (y < 1) {  // a subnormal: rounded once, where 1 + y has its last bit
    const double rest = (raised - y) + raised * more, whole = 1 + y;
    y = (whole + (((1 - whole) + y) + rest)) - 1;
  }
  return y * 0x1p-1022;
}

// 2^(k/128) e^r, where `rounded` is k + kRounder.
double assemble(double rounded, double r, bool near) {
  const std::uint64_t k = bits_of(rounded);
  const Root& root = kRoots[k % kTable];
  const double square = r * r;
  const double series = (0.5 + r * (1.0 / 6)) + square * (1.0 / 24 + r * (1.0 / 120));
  const double more = root.tail + r + square * series;
  if (near) {
    const double scale = std::bit_cast<double>(bits_of(root.high) + (k >> kTableBits << kFraction));
    return scale + scale * more;
  }
  return far_from_one(root.high, more, static_cast<int>(static_cast<std::int32_t>(k) >> kTableBits));
}

constexpr double kNear = 670;                     // no part of the result is subnormal
constexpr double kSteps = kTable * kPerLn2.high;  // of ln 2 / 128
constexpr DoubleDouble kStep = on_grid({kLn2.high / kTable, kLn2.low / kTable});

// e^(x + low), for |x| < 747 and |low| < 10^-4.
double exp_of(double x, double low) {
  const double rounded = x * kSteps + kRounder, k = rounded - kRounder;
  const double r = (x - k * kStep.high) + (low - k * kStep.low);
  return assemble(rounded, r, std::fabs(x) < kNear);
}

// --- logarithms: x = 2^k z, z (inverse of its cell) = 1 + r

constexpr double kLogSeries[] = {-1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7, -1.0 / 8, 1.0 / 9, -1.0 / 10};
constexpr DoubleDouble kLn2Grid = on_grid(kLn2);

struct Reduced {
  DoubleDouble base;   // k ln 2 + log of the cell; the high part is exact, and 0 or larger than r
  double head, small;  // r to 21 bits, and the rest
  DoubleDouble r;
};

// Of x + low, where x is positive and normal (times 2^-shift) and low below its last place.
Reduced reduce(double x, double low, int shift) {
  const std::uint64_t bits = bits_of(x), from_first = bits - bits_of(kFirstCell);
  const auto exponent = static_cast<int>(static_cast<std::int64_t>(from_first) >> kFraction);
  const std::uint64_t z_bits = bits - (from_first >> kFraction << kFraction);
  const Cell& cell = kCells[(from_first >> (kFraction - kTableBits)) % kTable];
  const double z = std::bit_cast<double>(z_bits);
  const double z_head = std::bit_cast<double>((z_bits + (std::uint64_t{1} << 34)) >> 35 << 35);
  const double head = z_head * cell.inverse - 1;  // exact: 18 bits and 11
  double small = (z - z_head) * cell.inverse;     // exact: 35 bits and 11
  if (low != 0 && exponent < 64) small += low * power_of_two(-exponent) * cell.inverse;
  const double k = exponent - shift;
  // Where |head| < |small|, their sum is exact.
  return {{k * kLn2Grid.high + cell.log_high, k * kLn2Grid.low + cell.log_low}, head, small, fast_two_sum(head, small)};
}

// Σ from r³ on, over r³ (from `first` = 1), or from r² on over r² (from 0).
template <int first>
double log_tail(double r) {
  const double* c = kLogSeries + first;
  const double s = r * r;
  const double lower = (c[0] + r * c[1]) + s * (c[2] + r * c[3]), upper = (c[4] + r * c[5]) + s * (c[6] + r * c[7]);
  return lower + s * s * upper;
}

double log_of(double x, double low, int shift) {
  const Reduced a = reduce(x, low, shift);
  const double r = a.r.high;
  const DoubleDouble sum = fast_two_sum(a.base.high, r);
  return sum.high + (sum.low + (a.r.low + a.base.low) + r * r * log_tail<0>(r));
}

// The same to 67 bits or more: r²/2 too has a high part that is exact.
DoubleDouble long_log(double x, int shift) {
  const Reduced a = reduce(x, 0, shift);
  const double r = a.r.high;
  const DoubleDouble first = fast_two_sum(a.base.high, r), second = fast_two_sum(first.high, -0.5 * a.head * a.head);
  const double low = (first.low + (a.r.low + a.base.low)) + (second.low - 0.5 * a.small * (a.head + r));
  return fast_two_sum(second.high, low + r * r * r * log_tail<1>(r));
}

bool positive_normal(double x) { return x >= std::numeric_limits<double>::min() && x < kInfinity; }

// The logarithm of what is no positive number: NaN, 0, below 0, ∞.
double log_at_the_edge(double x) { return x == 0 ? -kInfinity : x < 0 ? kNan : x + x; }

// --- powers

enum class Parity { kNone, kOdd, kEven };

Parity parity(double y) {
  const double size = std::fabs(y);
  if (size >= 0x1p53) return Parity::kEven;
  if (size != std::floor(size)) return Parity::kNone;
  return static_cast<std::uint64_t>(size) % 2 == 1 ? Parity::kOdd : Parity::kEven;
}

// |x|^y where x or y is 0, infinite or so large that the result is.
double pow_at_the_edge(double size, double y) {
  if (size == 1) return 1;
  return (size > 1) == (y > 0) ? kInfinity : 0;
}

double first_half(double x) { return std::bit_cast<double>(bits_of(x) >> 27 << 27); }

double pow_of_size(double size, double y) {  // size ≥ 0
  if (size == 0 || size == kInfinity || std::fabs(y) >= 0x1p64) return pow_at_the_edge(size, y);
  if (std::fabs(y) < 0x1p-65) return 1;
  const bool normal = size >= std::numeric_limits<double>::min();
  const DoubleDouble log = long_log(normal ? size : size * 0x1p52, normal ? 0 : 52);
  const double y_head = first_half(y), log_head = first_half(log.high);
  const double product = y_head * log_head;  // exact
  if (product > 710) return kInfinity;
  if (product < -746) return 0;
  return exp_of(product, (y - y_head) * log_head + y * ((log.high - log_head) + log.low));
}

}  // namespace

double exp(double x) {
  if (std::fabs(x) < kNear) return exp_of(x, 0);
  if (x != x) return x + x;
  if (x > 710) return kInfinity;
  return x < -746 ? 0 : exp_of(x, 0);
}

double exp2(double x) {
  if (x != x) return x + x;
  if (x >= 1024) return kInfinity;
  if (x < -1076) return 0;
  const double rounded = x + kRounder / kTable;  // to multiples of 1/128
  const double r = (x - (rounded - kRounder / kTable)) * kLn2.high;
  return assemble(rounded, r, std::fabs(x) < 960);
}

double log(double x) {
  if (positive_normal(x)) return log_of(x, 0, 0);
  return x > 0 && x < 1 ? log_of(x * 0x1p52, 0, 52) : log_at_the_edge(x);
}

double log1p(double x) {
  if (std::fabs(x) < 0x1p-8) return x + x * x * log_tail<0>(x);
  const DoubleDouble sum = two_sum(1, x);
  return positive_normal(sum.high) ? log_of(sum.high, sum.low, 0) : log_at_the_edge(sum.high);
}

double log2(double x) {
  const bool normal = positive_normal(x);
  if (!normal && !(x > 0 && x < 1)) return log_at_the_edge(x);
  const DoubleDouble log = long_log(normal ? x : x * 0x1p52, normal ? 0 : 52);
  const DoubleDouble product = two_product(log.high, kPerLn2.high);
  return product.high + (product.low + (log.high * kPerLn2.low + log.low * kPerLn2.high));
}

double pow(double x, double y) {
  if (x == 1 || y == 0) return 1;
  if (x != x || y != y) return x + y;
  if (!std::signbit(x)) return pow_of_size(x, y);
  const Parity whole = parity(y);
  if (whole == Parity::kNone && x != 0 && x != -kInfinity) return kNan;
  const double size = pow_of_size(-x, y);
  return whole == Parity::kOdd ? -size : size;
}

}  // namespace tarry
