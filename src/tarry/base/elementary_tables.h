// The tables and constants of the elementary functions, computed by the compiler to about 100 bits.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "tarry/base/double_double.h"

namespace tarry::elementary {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kTableBits = 7;
constexpr std::size_t kTable = std::size_t{1} << kTableBits;

constexpr DoubleDouble exp_series(DoubleDouble x) {
  DoubleDouble sum{1, 0}, term{1, 0};
  for (int n = 1; n <= 27; ++n) {
    term = term * x / n;
    sum = sum + term;
  }
  return sum;
}

// 2 artanh s = ln((1 + s) / (1 − s))
constexpr DoubleDouble log_series(DoubleDouble s) {
  const DoubleDouble square = s * s;
  DoubleDouble sum{0, 0}, power = s;
  for (int n = 1; n <= 65; n += 2) {
    sum = sum + power / n;
    power = power * square;
  }
  return {2 * sum.high, 2 * sum.low};
}

constexpr DoubleDouble kLn2 = log_series(DoubleDouble{1, 0} / 3);
constexpr DoubleDouble kPerLn2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};  // 1 / ln 2
constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};  // π / 2
constexpr double on_grid(double x) { return (x + 0x1.8p10) - 0x1.8p10; }      // to multiples of 2^-42
constexpr DoubleDouble on_grid(
    DoubleDouble x) {  // the high part on the grid: sums of such and products with k are exact
  const double high = on_grid(x.high);
  return {high, (x.high - high) + x.low};
}

// 2^(j/128) = high (1 + tail)
struct Root {
  double high, tail;
};

constexpr std::array<Root, kTable> kRoots = [] {
  std::array<Root, kTable> table{};
  for (std::size_t j = 0; j < kTable; ++j) {
    const DoubleDouble root = exp_series(kLn2 * DoubleDouble{static_cast<double>(j) / kTable, 0});
    table[j] = {root.high, root.low / root.high};
  }
  return table;
}();

// Numbers from 11/16 to 11/8 fall into 128 cells, 1/256 wide below 1 and 1/128 above. In each, inverse is nearly one
// over the middle, of at most 11 bits, and log = −ln inverse. The two cells at 1 have inverse = 1: their logarithm is a
// series.
constexpr double kFirstCell = 0.6875;
constexpr std::size_t kCellsBelowOne = 80;

struct Cell {
  double inverse, log_high, log_low;
};

constexpr std::array<Cell, kTable> kCells = [] {
  std::array<Cell, kTable> table{};
  for (std::size_t j = 0; j < kTable; ++j) {
    const auto at = static_cast<double>(j);
    const double middle = j < kCellsBelowOne ? kFirstCell + (at + 0.5) / 256 : 1 + (at - kCellsBelowOne + 0.5) / 128;
    const bool beside_one = j == kCellsBelowOne || j + 1 == kCellsBelowOne;
    const double inverse = beside_one ? 1 : static_cast<double>(static_cast<int>(1024 / middle + 0.5)) / 1024;
    const DoubleDouble log = on_grid(log_series(DoubleDouble{1 - inverse, 0} / (1 + inverse)));
    table[j] = {inverse, log.high, log.low};
  }
  return table;
}();

// sin and cos of j/16 of a quarter turn, j = 0…8.
struct Angle {
  DoubleDouble sine, cosine;
};

constexpr std::array<Angle, 9> kAngles = [] {
  std::array<Angle, 9> table{};
  for (std::size_t j = 0; j < table.size(); ++j) {
    const DoubleDouble angle = kHalfPi * DoubleDouble{static_cast<double>(j) / 16, 0}, square = angle * angle;
    DoubleDouble sine{0, 0}, cosine{0, 0}, term{1, 0};
    for (int n = 0; n <= 28; n += 2) {
      cosine = cosine + term;
      sine = sine + term * angle / (n + 1);
      term = term * square / (-(n + 1.0) * (n + 2.0));
    }
    table[j] = {sine, cosine};
  }
  return table;
}();

}  // namespace tarry::elementary
