#include "tarry/model/given_up.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(GivenUp, IsWhatTheBestWouldEarnLessWhatTheDrawIsExpectedTo) {
  GivenUp given_up;
  given_up.played({{"a", 0.5, 0.4}, {"b", 0.5, 0.2}, {"out", 0.0, 0.9}});
  EXPECT_NEAR(given_up.figures().all.reward, 0.1, 1e-15) << "what could not be taken was not given up";
  EXPECT_NEAR(*given_up.figures().all.share, 0.25, 1e-15);
  given_up.played({{"a", 1.0, 0.8}});
  EXPECT_EQ(given_up.figures().rounds, 2u);
  EXPECT_NEAR(given_up.figures().all.reward, 0.05, 1e-15);
  EXPECT_NEAR(*given_up.figures().all.share, 0.1 / 1.2, 1e-15);
}

TEST(GivenUp, LatelyForgetsHowItBegan) {
  GivenUp given_up;
  for (int t = 0; t < 1000; ++t) given_up.played({{"a", 0.5, 1.0}, {"b", 0.5, 0.0}});
  EXPECT_NEAR(given_up.figures().lately.reward, 0.5, 1e-12);
  for (int t = 0; t < 10000; ++t) given_up.played({{"a", 1.0, 1.0}, {"b", 0.0, 0.0}});
  EXPECT_LT(given_up.figures().lately.reward, 1e-4);
  EXPECT_NEAR(given_up.figures().all.reward, 0.5 / 11, 1e-12);
}

TEST(GivenUp, HasNoShareOfRewardsBelowZero) {
  GivenUp given_up;
  given_up.played({{"a", 0.5, -1.0}, {"b", 0.5, -3.0}});
  EXPECT_NEAR(given_up.figures().all.reward, 1, 1e-15);
  EXPECT_FALSE(given_up.figures().all.share);
}

TEST(GivenUp, IsSavedAndLoaded) {
  GivenUp before, after;
  before.played({{"a", 0.5, 0.4}, {"b", 0.5, 0.2}});
  ByteWriter out;
  before.save(out);
  ByteReader in(out.bytes());
  after.load(in);
  in.expect_end();
  EXPECT_EQ(after.figures().all.reward, before.figures().all.reward);
  EXPECT_EQ(after.figures().rounds, 1u);
}

}  // namespace
}  // namespace tarry
