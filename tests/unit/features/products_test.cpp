#include "tarry/features/products.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(Products, StandAfterTheFeaturesInAscendingSlots) {
  const Products products(10, 4);
  EXPECT_EQ(products.width(), 26);
  const std::vector<Index> indices = {1, 3, 7};
  const Vec values = {2, -0.5, 9};
  Row wide;
  const Covector row = products.widen(Covector::sparse(indices, values), wide);
  EXPECT_EQ(wide.indices, (std::vector<Index>{1, 3, 7, 10 + 5, 10 + 7, 10 + 15}));
  EXPECT_EQ(wide.values,
            (Vec{2, -0.5, 9, 0.5 * 2.5, 0.5 * -1, 0.5 * 0.25}));  // 2 · 2 is clipped; 7 is past the first four
  EXPECT_EQ(row.stored(), 6u);
}

// Memory that has a row's products is used again, whatever it has.
TEST(Products, AreThoseOfTheRowWhateverIsInMemory) {
  const std::vector<std::vector<Index>> indices = {{0, 1}, {0, 2}, {1, 2}};
  const std::vector<Vec> values = {{1, 2}, {1, 1.5}};
  const auto widen = [&](std::size_t which, Row& wide) {
    const Products products(3 + static_cast<Index>(which % 2), 2 + static_cast<Index>(which / 2 % 2));
    products.widen(Covector::sparse(indices[which / 4 % 3], values[which / 12]), wide);
  };
  for (std::size_t first = 0; first < 24; ++first)
    for (std::size_t second = 0; second < 24; ++second) {
      Row used, fresh;
      widen(first, used);
      widen(second, used);
      widen(second, fresh);
      ASSERT_EQ(used, fresh) << first << ", " << second;
    }
}

TEST(Products, AreNotMadeOfLongRows) {
  const Products products(100, 100);
  Row wide;
  for (std::size_t size : {Products::kMostFeatures, Products::kMostFeatures + 1}) {
    std::vector<Index> indices(size);
    for (std::size_t i = 0; i < size; ++i) indices[i] = static_cast<Index>(i);
    const Vec values(size, 1.0);
    const Covector row = products.widen(Covector::sparse(indices, values), wide);
    EXPECT_EQ(row.stored(), size <= Products::kMostFeatures ? size + size * (size + 1) / 2 : size);
  }
}

TEST(Products, NoneLeaveARowAsItIs) {
  const Vec values = {1, 2, 3};
  Row wide;
  const Covector row = Products(3, 0).widen(Covector::dense(values), wide);
  EXPECT_FALSE(row.is_sparse());
  EXPECT_EQ(Products(3, 0).width(), 3);
}

}  // namespace
}  // namespace tarry
