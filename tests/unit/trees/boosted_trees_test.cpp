#include "tarry/trees/boosted_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/base/random.h"

namespace tarry::trees {
namespace {

struct Rows {
  explicit Rows(std::uint64_t seed) : random(seed) {}
  Random random;
  std::vector<std::int64_t> slots = {0, 3, 7};
  std::vector<double> next(std::uint64_t row) const {
    return {random.uniform(row * 4), random.uniform(row * 4 + 1), random.uniform(row * 4 + 2)};
  }
  // A step in one number, another in two together.
  static double label(const std::vector<double>& x) {
    return (x[0] > 0.3 ? 2 : 0) + (x[1] > 0.5 && x[2] < 0.5 ? 5 : 0);
  }
};

BoostedTrees taught(Fits fits, std::uint64_t rows, std::uint64_t seed = 1) {
  BoostedTrees trees(fits);
  const Rows all(seed);
  for (std::uint64_t t = 0; t < rows; ++t) {
    const auto x = all.next(t);
    const double y = Rows::label(x);
    trees.learn(all.slots, x, fits == Fits::kNumbers ? y : y > 4 ? 1 : -1);
  }
  return trees;
}

std::string bytes(const BoostedTrees& trees) {
  ByteWriter out;
  trees.save(out);
  return out.take();
}

TEST(BoostedTrees, FindSteps) {
  const BoostedTrees trees = taught(Fits::kNumbers, 4000);
  const std::vector<std::int64_t> slots = {0, 3, 7};
  const auto at = [&](std::vector<double> x) { return trees.predict(slots, x); };
  EXPECT_NEAR(at({0.1, 0.2, 0.2}), 0, 0.1);
  EXPECT_NEAR(at({0.6, 0.2, 0.2}), 2, 0.1);
  EXPECT_NEAR(at({0.1, 0.8, 0.2}), 5, 0.1);
  EXPECT_NEAR(at({0.6, 0.8, 0.2}), 7, 0.1);
  EXPECT_NEAR(at({0.6, 0.8, 0.9}), 2, 0.1);
}

TEST(BoostedTrees, FindOdds) {
  const BoostedTrees trees = taught(Fits::kOdds, 4000);
  const std::vector<std::int64_t> slots = {0, 3, 7};
  EXPECT_GT(trees.predict(slots, std::vector<double>{0.1, 0.8, 0.2}), 4);
  EXPECT_LT(trees.predict(slots, std::vector<double>{0.1, 0.2, 0.2}), -4);
}

TEST(BoostedTrees, AreThereFromTheFirstTwoHundredLabelsOn) {
  EXPECT_FALSE(taught(Fits::kNumbers, BoostedTrees::kFirst - 1).ready());
  EXPECT_TRUE(taught(Fits::kNumbers, 2 * BoostedTrees::kFirst).ready());
}

TEST(BoostedTrees, ASlotThatARowLacksIs0) {
  const BoostedTrees trees = taught(Fits::kNumbers, 2000);
  const std::vector<std::int64_t> all = {0, 3, 7}, few = {3, 7};
  EXPECT_EQ(trees.predict(all, std::vector<double>{0, 0.8, 0.2}), trees.predict(few, std::vector<double>{0.8, 0.2}));
}

// Saved at every label around a training's begin and in the midst of it.
TEST(BoostedTrees, GoOnFromASnapshotToTheSameBits) {
  const Rows all(1);
  BoostedTrees trees = taught(Fits::kNumbers, 1000);
  int in_training = 0;
  for (std::uint64_t t = 1000; t < 1500; ++t) {
    if (t % 23 == 0) {
      BoostedTrees restored(Fits::kNumbers);
      const std::string before = bytes(trees);
      ByteReader in(before);
      restored.load(in);
      in.expect_end();
      EXPECT_EQ(bytes(restored), before);
      in_training += trees.training() ? 1 : 0;
      trees = std::move(restored);
    }
    const auto x = all.next(t);
    trees.learn(all.slots, x, Rows::label(x));
  }
  EXPECT_GT(in_training, 0);
  EXPECT_EQ(bytes(trees), bytes(taught(Fits::kNumbers, 1500)));
}

// In rows that were looked at, not in time. A step may be the last that fits: a leaf's rows are parted in one.
TEST(BoostedTrees, ALabelDoesABoundedPartOfTheWork) {
  const Rows all(2);
  BoostedTrees trees(Fits::kNumbers);
  std::uint64_t most = 0, looked = 0;
  for (std::uint64_t t = 0; t < 3000; ++t) {
    const std::uint64_t before = trees.training() ? trees.training()->looked_at() : 0;
    const auto x = all.next(t);
    trees.learn(all.slots, x, Rows::label(x));
    if (!trees.training()) continue;
    const std::uint64_t now = trees.training()->looked_at() - before;
    EXPECT_LE(now, trees.training()->allowance() + (trees.training()->end() - trees.training()->first()));
    most = std::max(most, now);
    looked += now;
  }
  EXPECT_GT(looked, 20 * most);
}

// Which rows a tree sees is drawn again, the same, when training is done again.
TEST(BoostedTrees, OfManyRowsGoOnFromASnapshotToTheSameBits) {
  const Rows all(3);
  const std::uint64_t rows = 6000;
  BoostedTrees trees = taught(Fits::kOdds, rows, 3), twin = taught(Fits::kOdds, rows, 3);
  int in_training = 0;
  for (std::uint64_t t = rows; t < rows + 2500; ++t) {
    if (t % 250 == 0) {
      const std::string before = bytes(trees);
      BoostedTrees restored(Fits::kOdds);
      ByteReader in(before);
      restored.load(in);
      in_training += trees.training() && trees.training()->end() - trees.training()->first() > 4096 ? 1 : 0;
      trees = std::move(restored);
    }
    const auto x = all.next(t);
    const double y = Rows::label(x) > 4 ? 1 : -1;
    trees.learn(all.slots, x, y);
    twin.learn(all.slots, x, y);
  }
  EXPECT_GT(in_training, 0);
  EXPECT_EQ(bytes(trees), bytes(twin));
}

// Of a tree each leaf can be reached in one way only.
TEST(BoostedTrees, RefuseATreeWhoseBranchesMeet) {
  const auto load = [](std::int64_t high) {
    ByteWriter out;
    for (std::uint64_t x : {1, 0}) out.u64(x);  // a slot
    out.f64(0);
    for (std::uint64_t x : {1, 1, 0}) out.u64(x);  // a tree, a branch, its column
    out.f64(0.5);
    out.i64(-1);
    out.i64(high);
    out.reals(std::vector<double>{1, 2});
    const std::string bytes = out.take();
    ByteReader in(bytes);
    Ensemble().load(in);
  };
  EXPECT_NO_THROW(load(-2));
  EXPECT_THROW(load(-1), Error);
}

TEST(BoostedTrees, RefuseASnapshotThatWasCut) {
  const std::string whole = bytes(taught(Fits::kNumbers, 300));
  for (std::size_t size : {whole.size() / 3, whole.size() - 8}) {
    BoostedTrees trees(Fits::kNumbers);
    ByteReader in(std::string_view(whole).substr(0, size));
    EXPECT_THROW(trees.load(in), Error);
  }
}

}  // namespace
}  // namespace tarry::trees
