#include "tarry/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace tarry {
namespace {

using Block = std::array<std::uint32_t, 4>;

TEST(Philox, MatchesTheVectorsOfRandom123) {
  constexpr std::uint32_t kOnes = 0xFFFFFFFFu;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(philox({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}),
            (Block{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

TEST(Random, IsAFunctionOfSeedStreamAndPosition) {
  const Random a(1, 2), same(1, 2), other_seed(2, 2), other_stream(1, 3);
  EXPECT_EQ(a.bits(5), same.bits(5));
  EXPECT_NE(a.bits(5), a.bits(6));
  EXPECT_NE(a.bits(5), other_seed.bits(5));
  EXPECT_NE(a.bits(5), other_stream.bits(5));
  EXPECT_NE(a.bits(5), a.bits(5 + (std::uint64_t{1} << 32)));  // all 64 bits of the position count
  EXPECT_NE(Random(1).bits(0), Random(1 + (std::uint64_t{1} << 32)).bits(0));
}

TEST(Random, UniformsHaveTheirMoments) {
  constexpr int kCount = 200000;
  RandomSequence random(3);
  double sum = 0, squares = 0;
  std::vector<int> cells(20);
  for (int i = 0; i < kCount; ++i) {
    const double u = random.uniform();
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
    ++cells[static_cast<std::size_t>(u * 20)];
  }
  EXPECT_NEAR(sum / kCount, 0.5, 5 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kCount));
  for (int cell : cells) EXPECT_NEAR(cell, kCount / 20, 5 * std::sqrt(kCount / 20.0));
}

TEST(Random, GaussiansHaveTheirMoments) {
  constexpr int kCount = 200000;
  RandomSequence random(4);
  double moment[5] = {};
  double neighbours = 0, last = 0;
  for (int i = 0; i < kCount; ++i) {
    const double z = random.gaussian();
    ASSERT_TRUE(std::isfinite(z));
    for (int k = 1; k <= 4; ++k) moment[k] += std::pow(z, k) / kCount;
    neighbours += z * last / kCount;
    last = z;
  }
  const double error = 5 / std::sqrt(static_cast<double>(kCount));
  EXPECT_NEAR(moment[1], 0, error);
  EXPECT_NEAR(moment[2], 1, error * std::sqrt(2.0));
  EXPECT_NEAR(moment[3], 0, error * std::sqrt(15.0));
  EXPECT_NEAR(moment[4], 3, error * std::sqrt(96.0));
  EXPECT_NEAR(neighbours, 0, error);
}

TEST(RandomSequence, ReadsFromPositionZeroOn) {
  const Random random(9, 1);
  RandomSequence sequence(9, 1);
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(sequence.uniform(), random.uniform(i));
  EXPECT_EQ(sequence.gaussian(), random.gaussian(5));
}

TEST(RandomSequence, BelowReachesEveryNumberAndNoOther) {
  RandomSequence random(5);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(random.below(1), 0u);
  for (int i = 0; i < 100; ++i) {
    const double x = random.uniform(-2, 3);
    EXPECT_TRUE(x > -2 && x < 3);
  }
}

}  // namespace
}  // namespace tarry
