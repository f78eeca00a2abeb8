// Numbers as the unevaluated sum of two doubles, with the rounding errors of sums and products; no fused multiply-add.
// Products must stay away from overflow (factors below 2^990) and their errors from underflow (products above 2^-960).
#pragma once

namespace tarry {

struct DoubleDouble {
  double high, low;
};

constexpr DoubleDouble fast_two_sum(double a, double b) {  // a = 0 or |a| ≥ |b|
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

constexpr DoubleDouble two_sum(double a, double b) {  // Knuth's
  const double sum = a + b, other = sum - a;
  return {sum, (a - (sum - other)) + (b - other)};
}

constexpr DoubleDouble halves(double a) {  // Veltkamp's: 26 bits each
  const double raised = 0x1.0000002p27 * a, high = raised - (raised - a);
  return {high, a - high};
}

constexpr DoubleDouble two_product(double a, double b) {  // Dekker's
  const double product = a * b;
  const DoubleDouble x = halves(a), y = halves(b);
  return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

constexpr DoubleDouble two_square(double a) {
  const double square = a * a;
  const DoubleDouble x = halves(a);
  return {square, ((x.high * x.high - square) + 2 * x.high * x.low) + x.low * x.low};
}

// About 100 bits.
constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
  const DoubleDouble sum = fast_two_sum(high.high, high.low + low.high);
  return fast_two_sum(sum.high, sum.low + low.low);
}

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.high, b.high);
  return fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

constexpr DoubleDouble operator/(DoubleDouble a, double b) {
  const double first = a.high / b;
  const DoubleDouble back = two_product(first, b);
  return fast_two_sum(first, ((a.high - back.high) - back.low + a.low) / b);
}

}  // namespace tarry
