// Cube roots, lengths and turns.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tarry/base/elementary.h"
#include "tarry/base/elementary_tables.h"

namespace tarry {
namespace {

using namespace elementary;

// Of a positive normal number: a third of the exponent, Halley's step twice, and Newton's with the exact residual.
double cube_root(double x) {
  // A double's bits are nearly its logarithm: a third of them, and two thirds of the exponent's offset less the mean
  // error.
  constexpr auto kOffset = static_cast<std::uint64_t>((682 - 0.0331) * 0x1p52);
  double y = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) / 3 + kOffset);
  for (int step = 0; step < 2; ++step) {
    const double cube = y * y * y;
    y *= (cube + 2 * x) / (2 * cube + x);
  }
  const DoubleDouble square = two_square(y), cube = two_product(square.high, y);
  return y + (((x - cube.high) - cube.low) - square.low * y) / (3 * square.high);
}

double length(double a, double b) {  // a ≥ b ≥ 0, squares far from overflow and underflow
  const DoubleDouble aa = two_square(a), bb = two_square(b), sum = fast_two_sum(aa.high, bb.high);
  const double root = std::sqrt(sum.high);
  const DoubleDouble back = two_square(root);
  return root + ((sum.high - back.high) - back.low + (sum.low + (aa.low + bb.low))) / (2 * root);
}

// sin of (quarters + g) quarter turns, |g| ≤ ½.
double sine(int quarters, double g) {
  const double j = (g * 16 + 0x1.8p52) - 0x1.8p52, h = g - j / 16;
  DoubleDouble theta = two_product(h, kHalfPi.high);
  theta.low += h * kHalfPi.low;
  const Angle& angle = kAngles[static_cast<std::size_t>(std::fabs(j))];
  const double side = j < 0 ? -1 : 1;
  // sin(α + θ) = a + b sin θ + a (cos θ − 1), a = sin α, b = cos α; for the cosine a = cos α, b = −sin α.
  DoubleDouble a{side * angle.sine.high, side * angle.sine.low}, b = angle.cosine;
  if (quarters % 2 != 0) {
    b = {-a.high, -a.low};
    a = angle.cosine;
  }
  const double x = theta.high, s = x * x;
  const double sin_more = x * s * ((-1.0 / 6 + s * (1.0 / 120)) + s * s * (-1.0 / 5040 + s * (1.0 / 362880)));
  const double cos_more = s * ((-1.0 / 2 + s * (1.0 / 24)) + s * s * (-1.0 / 720 + s * (1.0 / 40320)));
  const DoubleDouble turned = two_product(b.high, x), sum = two_sum(a.high, turned.high);
  const double low = sum.low + turned.low + b.low * x + b.high * theta.low + a.low;
  const double value = sum.high + (low + (b.high * sin_more + a.high * cos_more));
  return quarters % 4 >= 2 ? -value : value;
}

double sin_of_turns(double t, int more) {
  if (std::fabs(t) >= 0x1p40) t -= std::floor(t);
  const double quarters = 4 * t, rounded = quarters + 0x1.8p52;  // the nearest whole number is in the low bits
  return sine(static_cast<int>(std::bit_cast<std::uint64_t>(rounded) % 4) + more, quarters - (rounded - 0x1.8p52));
}

}  // namespace

double cbrt(double x) {
  const double size = std::fabs(x);
  if (!(size > 0 && size < kInfinity)) return x + x;
  const double root = size > 0x1p900    ? cube_root(size * 0x1p-600) * 0x1p200
                      : size < 0x1p-900 ? cube_root(size * 0x1p600) * 0x1p-200
                                        : cube_root(size);
  return std::copysign(root, x);
}

double hypot(double x, double y) {
  const double a = std::max(std::fabs(x), std::fabs(y)), b = std::min(std::fabs(x), std::fabs(y));
  if (std::isinf(x) || std::isinf(y)) return kInfinity;
  if (x != x || y != y) return x + y;
  if (b <= a * 0x1p-60) return a + b;
  if (a > 0x1p480) return length(a * 0x1p-600, b * 0x1p-600) * 0x1p600;
  return b < 0x1p-400 ? length(a * 0x1p600, b * 0x1p600) * 0x1p-600 : length(a, b);
}

double sin_turns(double t) {
  if (!(std::fabs(t) < kInfinity)) return t - t;
  if (std::fabs(t) < 0x1p-900) return t * (4 * kHalfPi.high);
  return sin_of_turns(t, 0);
}

double cos_turns(double t) {
  if (!(std::fabs(t) < kInfinity)) return t - t;
  return sin_of_turns(t, 1);
}

}  // namespace tarry
