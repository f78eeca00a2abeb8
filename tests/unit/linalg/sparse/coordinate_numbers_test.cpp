#include "tarry/linalg/sparse/coordinate_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "tarry/base/random.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string saved(const CoordinateNumbers& numbers) {
  ByteWriter out;
  numbers.save(out);
  return out.take();
}

TEST(CoordinateNumbers, FindsARowAsItFindsOneByOne) {
  CoordinateNumbers numbers(Index{1} << 40, 16);
  RandomSequence random(2);
  const auto begin = [](Index j, double* x) { x[0] = static_cast<double>(j); };
  std::vector<double*> found;
  for (int t = 0; t < 300; ++t) {
    std::vector<Index> indices;
    Vec values;
    for (Index i = static_cast<Index>(random.below(400)); indices.size() < 40;
         i += 1 + (t % 7 == 0 ? 300'000 : i % 5)) {
      indices.push_back(i);
      values.push_back(static_cast<double>(random.below(4)));
    }
    const Covector row = Covector::sparse(indices, values);
    std::vector<const double*> before(indices.size() - 3);
    numbers.find_row(row, 3, before);
    for (std::size_t j = 0; j < before.size(); ++j) ASSERT_EQ(before[j], numbers.find(indices[3 + j]));
    numbers.touch_row(row, found, begin);
    ASSERT_EQ(found.size(), indices.size());
    for (std::size_t j = 0; j < indices.size(); ++j) {
      ASSERT_EQ(found[j], values[j] == 0 ? nullptr : numbers.find(indices[j]));
      if (found[j] != nullptr) {
        ASSERT_EQ(found[j][0], static_cast<double>(indices[j]));
      }
    }
  }
}

// Of sixteen numbers two cache lines: a coordinate that lay in three would cost half as much again.
TEST(CoordinateNumbers, BeginAtACacheLine) {
  CoordinateNumbers numbers(4000, 16);
  const auto begins = [&](Index i) { return reinterpret_cast<std::uintptr_t>(numbers.find(i)) % 64; };
  for (Index i = 0; i < 999; ++i) {
    numbers.touch(i);
    ASSERT_EQ(begins(i), 0u) << i;
  }
  numbers.touch(999);
  numbers.settle();
  EXPECT_EQ(begins(0), 0u);
  EXPECT_EQ(begins(3999), 0u);
}

// Near and far coordinates, and those on both sides of where the table ends, against a map; numbers stay where they
// are.
TEST(CoordinateNumbers, HoldsWhatAMapHolds) {
  for (std::size_t each : {1u, 2u, 5u, 16u, 22u}) {
    CoordinateNumbers numbers(Index{1} << 40, each);
    std::map<Index, double> expected;
    std::map<Index, const double*> where;
    RandomSequence random(1);
    for (int t = 0; t < 9000; ++t) {
      const auto step = static_cast<Index>(random.below(3000));
      const Index i = t % 3 == 0   ? step
                      : t % 3 == 1 ? (Index{1} << 22) - 1500 + step
                                   : static_cast<Index>(random.below(std::uint64_t{1} << 40));
      ASSERT_EQ(numbers.find(i) != nullptr, expected.contains(i));
      double* found = numbers.touch(i, [](Index j, double* x) { x[0] = static_cast<double>(j); });
      if (!expected.contains(i)) expected[i] = static_cast<double>(i);
      ASSERT_EQ(where.try_emplace(i, found).first->second, found);
      found[each - 1] += t;
      expected[i] += t;
    }
    Index last = -1;
    numbers.each_touched([&](Index i, const double* x) {
      ASSERT_GT(i, last);
      last = i;
      ASSERT_EQ(each == 1 ? x[0] : x[0] + x[each - 1], expected.at(i));
    });
    EXPECT_EQ(numbers.touched(), expected.size());
  }
}

TEST(CoordinateNumbers, LooksUpRowsOfAnyLengthInTheirOrder) {
  CoordinateNumbers numbers(1000, 2);
  for (Index i = 0; i < 1000; i += 3) numbers.touch(i)[1] = static_cast<double>(i);
  Vec row(1000);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = 0.5 * static_cast<double>(i);
  Index next = 100;
  numbers.each_found(Covector::dense(row).slice(0, 1000), [](Index i, double a, const double* x) {
    ASSERT_EQ(a, 0.5 * static_cast<double>(i));
    ASSERT_EQ(x != nullptr, i % 3 == 0);
  });
  std::vector<Index> at;
  for (Index i = 0; i < 1000; ++i) at.push_back(i);
  numbers.each_found(Covector::sparse(at, row).slice(100, 900), [&](Index i, double a, const double*) {
    ASSERT_EQ(a, 0.5 * static_cast<double>(next));
    ASSERT_EQ(i, next++ - 100);
  });
  EXPECT_EQ(next, 900);
}

TEST(CoordinateNumbers, EqualStatesAreEqualBytesHoweverTheyCameAbout) {
  CoordinateNumbers one(Index{1} << 30, 2), two(Index{1} << 30, 2);
  for (Index i : {7, 5000, 1 << 29}) one.touch(i)[0] = 1;
  for (Index i : {1 << 29, 3, 7, 5000, 1 << 23})
    two.touch(i)[0] = i == 3 || i == 1 << 23 ? 0 : 1;  // two only looked at
  EXPECT_EQ(saved(one), saved(two));
  EXPECT_LT(saved(one).size(), 120u);
  CoordinateNumbers three(Index{1} << 30, 2);
  three.touch(11)[1] = 4;
  const std::string bytes = saved(one);
  ByteReader in(bytes);
  three.load(in);
  EXPECT_EQ(saved(three), bytes);
  EXPECT_EQ(three.find(11), nullptr);
}

TEST(CoordinateNumbers, RefusesWhatDoesNotFit) {
  CoordinateNumbers numbers(10, 2);
  numbers.touch(3)[0] = 1;
  const std::string bytes = saved(numbers);
  CoordinateNumbers other(11, 2);
  ByteReader in(bytes);
  EXPECT_ERROR(other.load(in), Code::kCorrupt,
               "snapshot: it has 2 numbers for each of 10 coordinates where 2 for each of 11 are wanted");
  ByteWriter twice;
  twice.i64(10);
  twice.u64(2);
  twice.u64(2);
  for (int k = 0; k < 2; ++k) {
    twice.i64(3);
    twice.f64(1);
    twice.f64(1);
  }
  ByteReader disorder(twice.bytes());
  EXPECT_ERROR(numbers.load(disorder), Code::kCorrupt, "snapshot: its coordinates are not in order");
}

}  // namespace
}  // namespace tarry
