#include "tarry/service/watch/round_places.h"

#include <gtest/gtest.h>

namespace tarry::service {
namespace {

TEST(RoundMarks, AreNearEveryRoundAndBounded) {
  RoundMarks marks;
  for (Round round = 0; round <= 200'000; round += 64) marks.add({round, 10 * round + 1});
  EXPECT_TRUE(marks.is_sound());
  for (const Round round : {Round{1}, Round{64}, Round{65}, Round{100'000}, Round{200'000}}) {
    const RoundMark* mark = marks.before(round);
    ASSERT_NE(mark, nullptr) << round;
    EXPECT_LT(mark->rounds, round);
    EXPECT_LT(round - mark->rounds, 2000u);
    EXPECT_EQ(mark->position, 10 * mark->rounds + 1);
  }
  const Round marked = marks.before(100'000)->rounds;
  EXPECT_LT(marks.before(marked)->rounds, marked);  // a mark is after its last round
}

TEST(RoundMarks, ThoseOfAnEarlierRunComeBeforeThisOne) {
  RoundMarks now, earlier;
  now.add({1000, 5000});
  for (Round round = 0; round < 2000; round += 100) earlier.add({round, 6 * round + 1});  // the end of it was lost
  now.begin_with(earlier);
  EXPECT_TRUE(now.is_sound());
  EXPECT_EQ(now.before(350)->rounds, 300u);
  EXPECT_EQ(now.before(1001)->position, 5000u);
  EXPECT_EQ(now.before(5000)->rounds, 1000u);
  RoundMarks again, more;  // more rounds were lost than entries were written since
  again.add({1000, 5000});
  more.add({1200, 4000});
  again.begin_with(more);
  EXPECT_TRUE(again.is_sound());
}

TEST(ClosedRounds, KeepTheLast) {
  ClosedRounds closed;
  for (Round round = 1; round <= ClosedRounds::kKept + 10; ++round) closed.add({round, 0.5, 2 * round});
  EXPECT_EQ(closed.find(10), nullptr);
  ASSERT_NE(closed.find(11), nullptr);
  EXPECT_EQ(closed.find(ClosedRounds::kKept + 10)->position, 2 * (ClosedRounds::kKept + 10));
}

}  // namespace
}  // namespace tarry::service
