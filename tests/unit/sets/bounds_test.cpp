#include "tarry/sets/bounds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/sets/polytopes/box.h"
#include "tarry/sets/wrappers/scale.h"

namespace tarry {
namespace {

TEST(Bounds, AreOnePairWhereTheyAreTheSameEverywhere) {
  EXPECT_TRUE(Bounds(Vec(5, -1.0), Vec(5, 2.0)).uniform());
  EXPECT_FALSE(Bounds({-1, -1, -2}, {2, 2, 2}).uniform());
  EXPECT_FALSE(Bounds({0.0, -0.0}, {2, 2}).uniform());
  const Bounds own({-1, -1, -2}, {2, 2, 4});
  EXPECT_EQ(own.lower(2), -2);
  EXPECT_EQ(own.upper(2), 4);
  EXPECT_EQ(own.centre(2), 1);
  EXPECT_EQ(own.times(0.5).upper(2), 2);
}

TEST(Bounds, AHugeUniformBoxCostsTwoNumbers) {
  const Index n = Index{1} << 38;
  const AnySet set = Scale(Box(Bounds::everywhere(n, 1, 5)), 0.5);
  EXPECT_EQ(set.dimension(), n);
  EXPECT_EQ(set.diameter(), 2 * std::sqrt(static_cast<double>(n)));
  EXPECT_EQ(set.start().everywhere, 1.5);
  EXPECT_TRUE(set.start().values.empty());
  EXPECT_EQ(set.bounds()->upper(n - 1), 2.5);
}

TEST(Bounds, TheDiameterIsTheSumOfTheWidths) {
  for (Index n : {1, 3, 1000, 16384, 16385, 100000}) {
    double squares = 0;
    for (Index i = 0; i < n; ++i) squares += 0.7 * 0.7;
    EXPECT_NEAR(Bounds::everywhere(n, -0.3, 0.4).diameter() / std::sqrt(squares), 1, 1e-12) << n;
  }
  EXPECT_DOUBLE_EQ(Bounds({0, 0}, {3, 4}).diameter(), 5);
}

}  // namespace
}  // namespace tarry
