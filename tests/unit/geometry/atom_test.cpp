#include "tarry/geometry/atom.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(Atom, WritesAndMultipliesTheSameInEveryForm) {
  const Vec x = {1, 2, 3, 4, 5, 6};
  const Atom sparse{SparseAtom{{1, 4}, {-2, 3}}}, dense{DenseAtom{{0, -2, 0, 0, 3, 0}}};
  const Atom rank_one{RankOne{-2, {1, 0.5}, {3, 0, 1}}};
  Vec a(6, 9.0), b(6, 9.0), c(6, 9.0);
  write(sparse, a);
  write(dense, b);
  write(rank_one, c);
  EXPECT_EQ(a, (Vec{0, -2, 0, 0, 3, 0}));
  EXPECT_EQ(b, a);
  EXPECT_EQ(c, (Vec{-6, 0, -2, -3, 0, -1}));
  EXPECT_EQ(inner(sparse, x), 11);
  EXPECT_EQ(inner(dense, x), 11);
  EXPECT_EQ(inner(rank_one, x), -6 - 6 - 12 - 6);
}

}  // namespace
}  // namespace tarry
