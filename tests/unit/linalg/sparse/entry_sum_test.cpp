// The sparse sum of gradients against a plain matrix, while it grows and files its entries.
#include "tarry/linalg/sparse/entry_sum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/linalg/covector.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr std::size_t kRows = 23, kCols = 17;

TEST(EntrySum, MultipliesLikeThePlainMatrixHoweverItGrew) {
  RandomSequence random(3);
  EntrySum sum;
  std::vector<double> plain(kRows * kCols, 0.0);
  for (int k = 0; k < 2000; ++k) {
    const auto i = static_cast<std::uint32_t>(random.below(kRows)), j = static_cast<std::uint32_t>(random.below(kCols));
    const double x = random.gaussian();
    sum.add(i, j, x);
    plain[i * kCols + j] += x;
    if (k % 37 != 0) continue;
    Vec right(kCols), left(kRows), across(kRows, 7.0), down(kCols, 7.0);
    for (double& r : right) r = random.gaussian();
    for (double& l : left) l = random.gaussian();
    sum.multiply(right, across);
    sum.multiply_transposed(left, down);
    double squares = 0;
    for (std::size_t r = 0; r < kRows; ++r)
      for (std::size_t c = 0; c < kCols; ++c) {
        across[r] -= plain[r * kCols + c] * right[c];
        down[c] -= plain[r * kCols + c] * left[r];
        squares += plain[r * kCols + c] * plain[r * kCols + c];
      }
    for (double rest : across) ASSERT_NEAR(rest, 0, 1e-11);
    for (double rest : down) ASSERT_NEAR(rest, 0, 1e-11);
    ASSERT_NEAR(sum.norm(), std::sqrt(squares), 1e-11);
  }
  EXPECT_LE(sum.size(), kRows * kCols);
}

TEST(EntrySum, GoesOnBitForBitFromASnapshot) {
  RandomSequence random(4);
  EntrySum sum;
  for (int k = 0; k < 150; ++k)
    sum.add(static_cast<std::uint32_t>(random.below(kRows)), static_cast<std::uint32_t>(k % 16), 0.1 * k);
  ByteWriter out;
  sum.save(out);
  EntrySum again;
  again.add(1, 1, 5);
  ByteReader in(out.bytes());
  again.load(in, kRows, kCols);
  const Vec x(kCols, 1.1);
  for (int k = 0; k < 100; ++k) {
    sum.add(static_cast<std::uint32_t>(k % 20), 16, 0.3);
    again.add(static_cast<std::uint32_t>(k % 20), 16, 0.3);
    Vec one(kRows), two(kRows);
    sum.multiply(x, one);
    again.multiply(x, two);
    ASSERT_EQ(one, two);
  }
  ByteReader small(out.bytes());
  EXPECT_ERROR(again.load(small, 3, kCols), Code::kCorrupt,
               "snapshot: its sum of gradients has an unknown row or column");
}

}  // namespace
}  // namespace tarry
