#include "tarry/linalg/sparse/paged.h"

#include <gtest/gtest.h>

#include <map>

#include "tarry/base/random.h"

namespace tarry {
namespace {

struct Pair {
  double a = 0;
  int b = 0;
};

TEST(Paged, IsZeroWhereItWasNotTouched) {
  Paged<Pair> paged;
  EXPECT_EQ(paged.find(0), nullptr);
  EXPECT_EQ(paged.find(Index{1} << 40), nullptr);
  EXPECT_EQ(paged.pages(), 0u);
  paged.at(5).a = 2;
  ASSERT_NE(paged.find(63), nullptr);
  EXPECT_EQ(paged.find(63)->a, 0);
  EXPECT_EQ(paged.find(5)->a, 2);
  EXPECT_EQ(paged.find(64), nullptr);
  EXPECT_EQ(paged.pages(), 1u);
}

// Near and far indices, and those on both sides of where the table ends, against a map.
TEST(Paged, HoldsWhatAMapHolds) {
  Paged<std::int64_t> paged;
  std::map<Index, std::int64_t> expected;
  RandomSequence random(1);
  constexpr Index kEdge = Index{1} << 22;
  for (int t = 0; t < 30000; ++t) {
    const auto step = static_cast<Index>(random.below(3000));
    const Index i = t % 3 == 0   ? step
                    : t % 3 == 1 ? kEdge - 1500 + step
                                 : static_cast<Index>(random.below(std::uint64_t{1} << 40));
    const auto known = expected.find(i);
    const std::int64_t* found = paged.find(i);
    ASSERT_EQ(found == nullptr ? 0 : *found, known == expected.end() ? 0 : known->second);
    paged.at(i) += t;
    expected[i] += t;
  }
  Index last = -1;
  std::map<Index, std::int64_t> walked;
  paged.each([&](Index i, std::int64_t x) {
    ASSERT_GT(i, last);
    last = i;
    if (x != 0) walked[i] = x;
  });
  std::erase_if(expected, [](const auto& entry) { return entry.second == 0; });
  EXPECT_EQ(walked, expected);
}

TEST(Paged, CopiesAreApartAndElementsStay) {
  Paged<double> one;
  double* first = &one.at(7);
  *first = 3;
  for (Index i = 0; i < 100000; i += 50) one.at(i) += 1;
  EXPECT_EQ(&one.at(7), first);
  one.at(Index{1} << 35) = 5;
  Paged<double> two = one;
  two.at(7) = 4;
  two.at(Index{1} << 35) += 1;
  EXPECT_EQ(*one.find(7), 3);
  EXPECT_EQ(*one.find(Index{1} << 35), 5);
  EXPECT_EQ(*two.find(Index{1} << 35), 6);
  EXPECT_EQ(one.pages(), two.pages());
  one = two;
  EXPECT_EQ(*one.find(7), 4);
}

TEST(Paged, MemoryFollowsWhatWasTouched) {
  Paged<double> paged;
  for (Index k = 0; k < 100; ++k) paged.at(k << 33) = 1;
  EXPECT_EQ(paged.pages(), 100u);
  EXPECT_LT(paged.bytes(), 100'000u);
  Paged<double> edge;
  edge.at((Index{1} << 22) - 1) = 1;  // the worst for the table
  EXPECT_LT(edge.bytes(), 600'000u);
}

TEST(Paged, PagesStartOnCacheLines) {
  Paged<Pair> paged;
  for (Index i : {Index{0}, Index{640}, Index{1} << 30})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&paged.at(i)) % 64, 0u);
}

TEST(Paged, FindsARowAsItFindsOneByOne) {
  Paged<double> paged;
  const std::vector<Index> indices = {3, 64, 70, 5000, (Index{1} << 22) + 5, Index{1} << 40};
  const Vec values(indices.size(), 1.0), dense(200, 1.0);
  std::vector<double*> found;
  const auto check = [&](const Covector& row) {
    paged.find_row(row, found);
    ASSERT_EQ(found.size(), row.stored());
    for (std::size_t j = 0; j < found.size(); ++j) ASSERT_EQ(found[j], paged.find(row.index(j))) << j;
  };
  for (std::size_t touched = 0; touched < indices.size(); ++touched) {
    paged.at(indices[touched]) = 1;
    check(Covector::sparse(indices, values));
    check(Covector::dense(dense));
  }
  check(Covector::sparse(indices, values).slice(10, 6000));
}

}  // namespace
}  // namespace tarry
