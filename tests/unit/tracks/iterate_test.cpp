#include "tarry/tracks/iterate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/frank_wolfe/delayed_ofw_sc.h"
#include "tarry/sets/balls/l1_ball.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/polytopes/simplex.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

// A game whose gradients are sparse at first and dense from the middle on: the automatic form starts sparse and
// changes once; its decisions must be those of the dense form.
template <class L, class K, class Rule>
void expect_change_without_trace(const K& set, const Rule& rule) {
  constexpr std::size_t kSize = 3000;
  L automatic(set, rule, shape_of(set), Storage::kAuto), dense(set, rule, shape_of(set), Storage::kDense);
  EXPECT_TRUE(automatic.is_sparse());
  EXPECT_FALSE(dense.is_sparse());
  RandomSequence random(5);
  Memo memo;
  Vec x(kSize), y(kSize);
  bool was_sparse_after_feedback = false;
  for (Round t = 1; t <= 80; ++t) {
    automatic.play(t, nullptr, memo);
    dense.play(t, nullptr, memo);
    automatic.write(x);
    dense.write(y);
    double away = 0;
    for (std::size_t i = 0; i < kSize; ++i) away = std::max(away, std::fabs(x[i] - y[i]));
    ASSERT_LE(away, 1e-12) << "round " << t;

    std::vector<Index> at;
    Vec g;
    for (std::size_t i = 0; i < kSize; ++i) {
      if (t <= 40 && random.uniform() > 0.002) continue;
      at.push_back(static_cast<Index>(i));
      g.push_back(random.gaussian());
    }
    automatic.receive(t, {.gradient = Covector::sparse(at, g)}, memo);
    dense.receive(t, {.gradient = Covector::sparse(at, g)}, memo);
    was_sparse_after_feedback = was_sparse_after_feedback || (t > 20 && automatic.is_sparse());
  }
  EXPECT_TRUE(was_sparse_after_feedback);
  EXPECT_FALSE(automatic.is_sparse());
}

TEST(Iterate, ChangesFromSparseToDenseWithoutATrace) {
  expect_change_without_trace<DelayedOfw<L1Ball>>(L1Ball(3000, 2), OfwRule(0.1));
  expect_change_without_trace<DelayedOfwSc<L1Ball>>(L1Ball(3000, 2), OfwScRule(0.5));
  expect_change_without_trace<DelayedOfw<Simplex>>(Simplex(3000), OfwRule(0.1));
  expect_change_without_trace<DelayedOfwSc<Simplex>>(Simplex(3000), OfwScRule(0.5));
}

TEST(Iterate, IsDenseWhereItMustBe) {
  EXPECT_FALSE(Iterate(Shape{Need::kDense, {5, 0, {}}, {}}, -2, Storage::kAuto).is_sparse());
  EXPECT_TRUE(Iterate(Shape{Need::kMaxAbs, {5, 0, {}}, {}}, -2, Storage::kAuto).is_sparse());
  EXPECT_FALSE(Iterate(Shape{Need::kMaxAbs, {5, 0, {}}, {}}, -2, Storage::kDense).is_sparse());
  EXPECT_ERROR(Iterate(Shape{Need::kDense, {5, 0, {}}, {}}, -2, Storage::kSparse), Code::kUnsupported,
               "storage = \"sparse\" needs a set whose oracle reads one coordinate (this one reads all)");
  EXPECT_ERROR(Iterate(Shape{Need::kMaxAbs, {5, 0.2, {}}, {}}, -2, Storage::kSparse), Code::kUnsupported,
               "storage = \"sparse\" needs a start that is mostly zero");
}

TEST(Iterate, ACopyIsItsOwn) {
  Iterate original(Shape{Need::kMaxAbs, {4, 0, {}}, {}}, -2, Storage::kAuto);
  Iterate copy = original;
  const Atom v{SparseAtom{{2}, {1}}};
  copy->step(0.5, v);
  Vec y(4);
  original->write(y);
  EXPECT_EQ(y, Vec(4, 0.0));
  copy->write(y);
  EXPECT_EQ(y, (Vec{0, 0, 0.5, 0}));
}

TEST(Iterate, ASparseSnapshotDoesNotFitADenseIterate) {
  const Iterate sparse(Shape{Need::kMaxAbs, {4, 0, {}}, {}}, -2, Storage::kAuto);
  Iterate dense(Shape{Need::kMaxAbs, {4, 0, {}}, {}}, -2, Storage::kDense);
  ByteWriter out;
  sparse.save(out);
  ByteReader in(out.bytes());
  EXPECT_ERROR(dense.load(in), Code::kCorrupt, "snapshot: is sparse where the learner is dense");
}

// That a decision is dense is only believed where there are bytes for all of it: nothing is allocated before.
TEST(Iterate, ADenseSnapshotOfADimensionThatItDoesNotHaveIsRefused) {
  const auto refused = [](Index dimension, Storage storage) {
    const Iterate dense(Shape{Need::kMaxAbs, {4, 0, {}}, {}}, -2, Storage::kDense);
    Iterate sparse(Shape{Need::kMaxAbs, {dimension, 0, {}}, {}}, -2, storage);
    ByteWriter out;
    dense.save(out);
    ByteReader in(out.bytes());
    return thrown_by([&] { sparse.load(in); }).message;
  };
  EXPECT_EQ(refused(4, Storage::kAuto), "nothing was thrown");
  EXPECT_EQ(refused(Index{1} << 40, Storage::kAuto), "snapshot: ends early (a decision in full does not fit)");
  EXPECT_EQ(refused(4, Storage::kSparse), "snapshot: is dense where the learner is sparse");
}

// Decisions over a dimension that could never be stored.
TEST(Iterate, AHugeDimensionStaysSparse) {
  const L1Ball set(Index{1} << 40, 1);
  DelayedOfw<L1Ball> learner(set, OfwRule(0.1));
  Memo memo;
  RandomSequence random(6);
  for (Round t = 1; t <= 200; ++t) {
    const std::vector<Index> at = {static_cast<Index>(random.below(1000)), (Index{1} << 39) + static_cast<Index>(t)};
    const Vec g = {random.gaussian(), random.gaussian()};
    const Covector features = Covector::sparse(at, g);
    EXPECT_TRUE(std::isfinite(learner.play(t, &features, memo)));
    learner.receive(t, {.gradient = features}, memo);
  }
  EXPECT_TRUE(learner.is_sparse());
}

}  // namespace
}  // namespace tarry
