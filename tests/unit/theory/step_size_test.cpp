#include "tarry/theory/step_size.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tarry::theory {
namespace {

TEST(StepSize, IsTheTheorems) {
  EXPECT_DOUBLE_EQ(ofw_eta_general(2, 3, 16), 2 / (3.0 * 8));
  EXPECT_DOUBLE_EQ(ofw_eta_strongly_convex_set(2, 3, 27), 2 / (2 * 3.0 * 9));
}

TEST(StepSize, DelayAwareIsThePapersUntilTheMeanDelayExceedsTheRootOfTheHorizon) {
  EXPECT_DOUBLE_EQ(ofw_eta_delay_aware(2, 3, 100, 1), ofw_eta_general(2, 3, 100));
  EXPECT_DOUBLE_EQ(ofw_eta_delay_aware(2, 3, 100, 10), ofw_eta_general(2, 3, 100));
  EXPECT_DOUBLE_EQ(ofw_eta_delay_aware(2, 3, 100, 40), 2 / (3 * std::sqrt(4000.0)));
}

}  // namespace
}  // namespace tarry::theory
