#include "tarry/learners/combined/loss_weights.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

// What comes first may be of one kind: who sees most of a row counts once enough labels are there.
TEST(LossWeights, SleepersHaveNoWeightWhileFewLabelsHaveCome) {
  LossWeights weights({1, 1}, 0.25, Waiting(2), std::nullopt, false, {.wide = 1});
  EXPECT_EQ(weights.weigh()[1], 0.5) << "nothing waits yet";
  for (int t = 0; t < 10; ++t) weights.play(0);
  EXPECT_EQ(weights.weigh()[1], 0);
  EXPECT_EQ(weights.weigh()[0], 1);
  const Vec losses = {2, 1};
  for (int label = 1; label <= 3; ++label) {
    EXPECT_EQ(weights.weigh()[1], 0) << label;
    weights.learn(losses, 1.5, 0);
  }
  EXPECT_GT(weights.weigh()[1], 0.5) << "it was judged by its own losses meanwhile";
  for (int t = 0; t < 10; ++t) weights.play(0);
  EXPECT_EQ(weights.weigh()[1], 0) << "most rounds wait again";
}

TEST(LossWeights, WithoutSleepersAllCountFromTheFirstRound) {
  LossWeights weights({1, 1}, 0.25, Waiting(2));
  for (int t = 0; t < 10; ++t) weights.play(0);
  EXPECT_EQ(weights.weigh()[1], 0.5);
}

}  // namespace
}  // namespace tarry
