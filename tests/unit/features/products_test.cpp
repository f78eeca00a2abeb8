#include "tarry/features/products.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tarry/base/random.h"
#include "unit/every_target.h"

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

TEST(Products, AreClippedOnBothSides) {
  const Products products(3, 3);
  const std::vector<Index> indices = {0, 1, 2};
  const Vec values = {-4, 1e60, -1e-60};
  Row wide;
  products.widen(Covector::sparse(indices, values), wide);
  EXPECT_EQ(wide.values, (Vec{-4, 1e60, -1e-60, 1.25, -1.25, 0.5 * 4e-60, 1.25, -0.5 * (1e60 * 1e-60), 0.5e-120}));
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

// Of rows of every length, the last features among them that are not multiplied.
TEST(Products, AreTheSameForEveryInstructionSet) {
  constexpr Index kFeatures = 200, kMultiplied = 150;
  const Products products(kFeatures, kMultiplied);
  on_every_target([&](const char* name) {
    RandomSequence random(5);
    Row wide;
    for (std::size_t size = 1; size <= Products::kMostFeatures; ++size) {
      std::vector<Index> indices;
      Vec values;
      for (std::size_t j = 0; j < size; ++j) {
        indices.push_back(static_cast<Index>(3 * j) + 1);
        values.push_back(2 * random.gaussian());
      }
      products.widen(Covector::sparse(indices, values), wide);
      std::vector<Index> places = indices;
      Vec expected = values;
      for (std::size_t a = 0; a < size && indices[a] < kMultiplied; ++a)
        for (std::size_t b = a; b < size && indices[b] < kMultiplied; ++b) {
          places.push_back(kFeatures + indices[a] * kMultiplied + indices[b]);
          expected.push_back(0.5 * std::clamp(values[a] * values[b], -2.5, 2.5));
        }
      ASSERT_EQ(wide.indices, places) << name << ", " << size;
      ASSERT_EQ(wide.values, expected) << name << ", " << size;
    }
  });
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
