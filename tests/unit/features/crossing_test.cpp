#include "tarry/features/crossing.h"

#include <gtest/gtest.h>

#include "tarry/features/encoder.h"

namespace tarry {
namespace {

Encoder with(const NamedFeatures& features, bool intercept = true) {
  Encoder encoder(FeatureSpec{.capacity = 16, .intercept = intercept, .interactions = {}});
  Row row;
  encoder.encode(features, row);
  return encoder;
}

// Slots are given in the order of names: 0 the constant, 1 action=tea, 2 action.price, 3 age, 4 city=Rome.
const NamedFeatures kTea = {{"action", "tea"}, {"action.price", 3.0}, {"age", 20.0}, {"city", "Rome"}};

TEST(Crossing, KnowsWhichSideASlotIsOn) {
  const Encoder encoder = with({{"action", "tea"}, {"action.price", 3.0}, {"actions", 1.0}, {"age", 20.0}});
  Crossing crossing(16, 16, "action");
  crossing.learn(encoder.vocabulary());
  EXPECT_TRUE(crossing.is_constant(0));
  EXPECT_TRUE(crossing.is_action(1));
  EXPECT_TRUE(crossing.is_action(2));
  EXPECT_FALSE(crossing.is_action(3));
  EXPECT_FALSE(crossing.is_action(4));
  EXPECT_FALSE(crossing.is_action(15));
}

TEST(Crossing, LeavesOutWhatTheContextSaysByItself) {
  const Encoder encoder = with(kTea);
  Crossing crossing(16, 8, "action");
  crossing.learn(encoder.vocabulary());
  const std::vector<Index> indices = {0, 1, 2, 3, 4};
  const Vec values = {1, 1, 2, -0.5, 1};
  Row wide;
  const Covector row = crossing.widen(Covector::sparse(indices, values), wide);
  const std::vector<Index> expected = {1, 2, 16 + 8 + 3, 16 + 8 + 4, 16 + 16 + 3, 16 + 16 + 4};
  EXPECT_EQ(std::vector<Index>(row.indices().begin(), row.indices().end()), expected);
  EXPECT_EQ(Vec(row.values().begin(), row.values().end()), (Vec{1, 2, -0.5, 1, -1, 2}));
}

TEST(Crossing, IsTheSameOfBothSidesApart) {
  const Encoder encoder = with(kTea);
  Crossing crossing(16, 8, "action");
  crossing.learn(encoder.vocabulary());
  const std::vector<Index> all = {0, 1, 2, 3, 4}, context = {0, 3, 4}, action = {0, 1, 2, 3};
  const Vec values = {1, 1, 2, -0.5, 1}, of_context = {1, -0.5, 1}, of_action = {1, 1, 2, -9};
  Row one, two;
  crossing.widen(Covector::sparse(all, values), one);
  crossing.cross(Covector::sparse(context, of_context), Covector::sparse(action, of_action), two);
  EXPECT_EQ(one, two);
}

TEST(Crossing, FeaturesPastThoseThatAreMultipliedStandAlone) {
  const Encoder encoder = with(kTea);
  Crossing crossing(16, 2, "action");
  crossing.learn(encoder.vocabulary());
  const std::vector<Index> indices = {0, 1, 2, 3, 4};
  const Vec values = {1, 1, 2, -0.5, 1};
  Row wide;
  crossing.widen(Covector::sparse(indices, values), wide);
  EXPECT_EQ(wide.indices, (std::vector<Index>{1, 2}));
}

}  // namespace
}  // namespace tarry
