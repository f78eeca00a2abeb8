#include "tarry/linalg/covector.h"

#include <gtest/gtest.h>

#include <utility>

namespace tarry {
namespace {

using Entries = std::vector<std::pair<Index, double>>;

Entries entries(const Covector& x) {
  Entries all;
  x.each([&](Index i, double value) { all.emplace_back(i, value); });
  return all;
}

TEST(Covector, VisitsItsEntries) {
  const Vec values = {1, 0, 3};
  const std::vector<Index> at = {2, 5, 9};
  EXPECT_EQ(entries(Covector::dense(values)), (Entries{{0, 1}, {1, 0}, {2, 3}}));
  EXPECT_EQ(entries(Covector::sparse(at, values)), (Entries{{2, 1}, {5, 0}, {9, 3}}));
  EXPECT_EQ(Covector::sparse(at, values).stored(), 3u);
  EXPECT_TRUE(Covector::sparse({}, {}).is_sparse());
}

TEST(Covector, SlicesAreRenumberedFromZero) {
  const Vec values = {1, 2, 3, 4};
  const std::vector<Index> at = {2, 5, 9, 11};
  EXPECT_EQ(entries(Covector::dense(values).slice(1, 3)), (Entries{{0, 2}, {1, 3}}));
  const Covector sparse = Covector::sparse(at, values);
  EXPECT_EQ(entries(sparse.slice(0, 12)), entries(sparse));
  EXPECT_EQ(entries(sparse.slice(5, 11)), (Entries{{0, 2}, {4, 3}}));
  EXPECT_EQ(entries(sparse.slice(3, 5)), Entries{});
  EXPECT_EQ(entries(sparse.slice(11, 12)), (Entries{{0, 4}}));
}

TEST(Covector, SlicesOfSlicesCountFromTheirOwnBeginning) {
  const Vec values = {1, 2, 3, 4};
  const std::vector<Index> at = {2, 5, 9, 11};
  const Covector part = Covector::sparse(at, values).slice(4, 12);  // 1, 5, 7
  EXPECT_EQ(entries(part), (Entries{{1, 2}, {5, 3}, {7, 4}}));
  EXPECT_EQ(entries(part.slice(5, 8)), (Entries{{0, 3}, {2, 4}}));
  EXPECT_EQ(entries(Covector::dense(values).slice(1, 4).slice(1, 2)), (Entries{{0, 3}}));
}

}  // namespace
}  // namespace tarry
