#include "tarry/quality/reliability.h"

#include <gtest/gtest.h>

#include "tarry/base/random.h"

namespace tarry::quality {
namespace {

Reliability watched(double factor, int labels) {
  Reliability reliability;
  RandomSequence random(1);
  for (int i = 0; i < labels; ++i) {
    const double truth = 0.5 * random.uniform();
    reliability.add(factor * truth, random.uniform() < truth);
  }
  return reliability;
}

TEST(Reliability, ProbabilitiesThatComeTrueAreOffByChanceAlone) {
  for (const int labels : {200, 2000, 15'000}) {
    const Reliability right = watched(1, labels);
    EXPECT_LT(right.error(), 2 * right.error_by_chance()) << labels;
    EXPECT_GT(right.error(), 0.3 * right.error_by_chance()) << labels;
  }
}

TEST(Reliability, ProbabilitiesThatAreTooHighAreSeen) {
  const Reliability high = watched(2, 5000);
  EXPECT_NEAR(high.error(), 0.25, 0.02);
  EXPECT_GT(high.error(), 5 * high.error_by_chance());
  EXPECT_NEAR(high.all().predicted / high.all().outcome, 2, 0.1);
}

TEST(Reliability, OldLabelsCountLessAndLess) {
  Reliability reliability = watched(2, 15'000);
  RandomSequence random(2);
  for (int i = 0; i < 100'000; ++i) {
    const double p = random.uniform();
    reliability.add(p, random.uniform() < p);
  }
  EXPECT_LT(reliability.error(), 0.02);
  EXPECT_LE(reliability.all().labels, 20'000);
}

TEST(Reliability, WhatIsNoProbabilityIsLeftOut) {
  Reliability reliability;
  reliability.add(1.5, true);
  reliability.add(-0.1, true);
  EXPECT_EQ(reliability.all().labels, 0);
  EXPECT_EQ(reliability.error(), 0);
}

}  // namespace
}  // namespace tarry::quality
