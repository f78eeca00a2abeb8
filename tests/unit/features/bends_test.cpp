#include "tarry/features/bends.h"

#include <gtest/gtest.h>

#include <numeric>

#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr Index kFirst = 100;  // behind features and products

Row row_of(const std::vector<Index>& indices, const Vec& values, const std::vector<std::uint8_t>& number) {
  Row row;
  for (std::size_t i = 0; i < indices.size(); ++i) row.add(indices[i], values[i], number[i] != 0);
  return row;
}

// Two numbers and a word, seen so often that the numbers bend.
Bends seen(int rows = 30) {
  Bends bends(kFirst, 8);
  for (int t = 1; t <= rows; ++t)
    bends.count(row_of({0, 1, 5}, {double(t % 7), double(t % 5), 1}, {1, 1, 0}), static_cast<std::uint64_t>(t));
  return bends;
}

Row widened(const Bends& bends, const std::vector<Index>& indices, const Vec& values, std::uint64_t round = 1000) {
  Row wide;
  const Covector row = Covector::sparse(indices, values);
  const Covector all = bends.widen(row, row, round, wide);
  Row copy;
  all.each([&](Index i, double value) { copy.add(i, value, false); });
  return copy;
}

TEST(Bends, GiveANumberAsWeightsOfItsNearestKnots) {
  const Bends bends = seen();
  const Row row = widened(bends, {0}, {0.3});
  ASSERT_EQ(row.indices.size(), 5u);  // itself, and two hats on each of two grids
  EXPECT_EQ(row.indices[0], 0);
  for (std::size_t k : {1, 3}) {
    EXPECT_EQ(row.indices[k] + 1, row.indices[k + 1]);
    EXPECT_NEAR(row.values[k] + row.values[k + 1], 1, 1e-15);
  }
  EXPECT_NEAR(row.values[2], 0.3 * 16 - 4, 1e-12);  // between 4/16 and 5/16
  EXPECT_NEAR(row.values[4], 0.3 * 4 - 1, 1e-12);   // between 1/4 and 2/4
}

TEST(Bends, TilesAreProductsOfHatsAndAscend) {
  const Bends bends = seen();
  const Row row = widened(bends, {0, 1, 5}, {0.1, -0.2, 1});
  ASSERT_EQ(row.indices.size(), 3u + 4 + 4 + 2 + 2 + 4);
  EXPECT_TRUE(std::is_sorted(row.indices.begin(), row.indices.end()));
  EXPECT_LT(row.indices.back(), kFirst + bends.width());
  EXPECT_GE(row.indices[3], kFirst);
  const auto sum = [&](std::size_t from, std::size_t count) {
    return std::accumulate(row.values.begin() + static_cast<std::ptrdiff_t>(from),
                           row.values.begin() + static_cast<std::ptrdiff_t>(from + count), 0.0);
  };
  EXPECT_NEAR(sum(11, 2), 1.5, 1e-12);  // the first number where the word is
  EXPECT_NEAR(sum(13, 2), 1.5, 1e-12);
  EXPECT_NEAR(sum(15, 4), 1.5, 1e-12);  // both numbers
}

TEST(Bends, WhatLiesFarOutIsOnTheLastKnot) {
  const Bends bends = seen();
  EXPECT_EQ(widened(bends, {0}, {1e9}).indices.size(), 3u);  // one hat on each grid
  EXPECT_EQ(widened(bends, {0}, {6}).indices, widened(bends, {0}, {1e9}).indices);
  EXPECT_EQ(widened(bends, {0}, {-6}).indices, widened(bends, {0}, {-77}).indices);
}

// What is not a number, or has had two values, or was not seen often enough, is a line.
TEST(Bends, OnlyNumbersWithThreeValuesThatWereSeenOften) {
  Bends bends(kFirst, 8);
  for (std::uint64_t t = 1; t <= 100; ++t) {
    std::vector<Index> indices = {0, 1, 5};
    Vec values = {double(t % 2), double(t), double(t)};
    if (t > 90) {
      indices.insert(indices.begin() + 2, 2);
      values.insert(values.begin() + 2, double(t));
    }
    std::vector<std::uint8_t> number(indices.size(), 1);
    number.back() = 0;
    bends.count(row_of(indices, values, number), t);
  }
  EXPECT_FALSE(bends.bends(0)) << "two values";
  EXPECT_TRUE(bends.bends(1));
  EXPECT_FALSE(bends.bends(2)) << "seen ten times";
  EXPECT_FALSE(bends.bends(5)) << "a word";
  EXPECT_FALSE(bends.bends(77)) << "past the first eight";
  EXPECT_EQ(widened(bends, {0, 5}, {0.5, 1}).indices, (std::vector<Index>{0, 5}));
}

// A round that was played before a number bent is learnt as it was played.
TEST(Bends, ARoundKeepsItsForm) {
  const Bends bends = seen(40);
  EXPECT_EQ(widened(bends, {0}, {0.3}, 10).indices.size(), 1u);
  EXPECT_EQ(widened(bends, {0}, {0.3}, 41).indices.size(), 5u);
}

TEST(Bends, LongRowsHaveNoTilesAndThenNoHats) {
  Bends bends(kFirst, 100);
  for (std::uint64_t t = 1; t <= 30; ++t) bends.count(row_of({0}, {double(t)}, {1}), t);
  for (const std::size_t size :
       {Bends::kMostTiled, Bends::kMostTiled + 1, Bends::kMostFeatures, Bends::kMostFeatures + 1}) {
    std::vector<Index> indices(size);
    std::iota(indices.begin(), indices.end(), Index{0});
    const std::size_t more = size <= Bends::kMostTiled ? 4 + 2 * (size - 1) : size <= Bends::kMostFeatures ? 4 : 0;
    EXPECT_EQ(widened(bends, indices, Vec(size, 0.3)).indices.size(), size + more) << size;
  }
}

TEST(Bends, AreSavedAndRefusedWhereTheyCannotBe) {
  const Bends bends = seen(25);
  ByteWriter out;
  bends.save(out);
  Bends same(kFirst, 8);
  ByteReader in(out.bytes());
  same.load(in);
  ByteWriter again;
  same.save(again);
  EXPECT_EQ(out.bytes(), again.bytes());
  EXPECT_TRUE(same.bends(0));
  Bends small(kFirst, 1);
  ByteReader too_many(out.bytes());
  EXPECT_ERROR(small.load(too_many), Code::kCorrupt, "snapshot: what numbers bend is impossible");
}

TEST(Bends, KnowTheRangeOfTheirNumbers) {
  Bends bends = seen();
  bends.count(row_of({1}, {-2.5}, {1}), 31);
  EXPECT_EQ(bends.range(0).least, 0);
  EXPECT_EQ(bends.range(0).largest, 6);
  EXPECT_TRUE(bends.range(0).whole);
  EXPECT_EQ(bends.range(1).least, -2.5);
  EXPECT_EQ(bends.range(1).largest, 4);
  EXPECT_FALSE(bends.range(1).whole);
  ByteWriter out;
  bends.save(out);
  Bends same(kFirst, 8);
  ByteReader in(out.bytes());
  same.load(in);
  EXPECT_EQ(same.range(1).least, -2.5);
  EXPECT_TRUE(same.range(0).whole);
}

// As it was written before ranges were kept: the same number bends from the same round on.
TEST(Bends, AreReadWithoutRanges) {
  ByteWriter out;
  out.u64(1);
  out.i64(3);
  out.f64(0.5);
  out.f64(1.5);
  out.u64(25);
  out.u64(22);
  Bends bends(kFirst, 8);
  ByteReader in(out.bytes());
  bends.load(in);
  in.expect_end();
  EXPECT_TRUE(bends.bends(3));
  EXPECT_EQ(widened(bends, {3}, {0.3}, 21).indices.size(), 1u);
  EXPECT_EQ(widened(bends, {3}, {0.3}, 22).indices.size(), 5u);
  EXPECT_LT(bends.range(3).least, -1e50);
  EXPECT_GT(bends.range(3).largest, 1e50);
}

}  // namespace
}  // namespace tarry
