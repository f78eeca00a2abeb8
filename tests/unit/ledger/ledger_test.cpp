#include "tarry/ledger/ledger.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

Context with_memo(Memo memo) {
  Context context;
  context.memo = std::move(memo);
  return context;
}

TEST(Ledger, KeepsAMemoUntilItsRoundIsSettled) {
  Ledger ledger;
  EXPECT_EQ(ledger.issue(with_memo({1, 2})), 1u);
  EXPECT_EQ(ledger.issue(with_memo({3})), 2u);
  EXPECT_EQ(ledger.settle(2)->context.memo, (Memo{3}));
  EXPECT_EQ(ledger.settle(1)->context.memo, (Memo{1, 2}));
  EXPECT_EQ(ledger.outstanding(), 0u);
}

TEST(Ledger, TellsDuplicatesFromUnknownRounds) {
  Ledger ledger;
  ledger.issue({});
  ASSERT_TRUE(ledger.settle(1));
  EXPECT_FALSE(ledger.settle(1));
  EXPECT_EQ(ledger.why_not(1), Answer::kDuplicate);
  EXPECT_FALSE(ledger.settle(2));
  EXPECT_EQ(ledger.why_not(2), Answer::kUnknown);
  EXPECT_FALSE(ledger.settle(0));
  EXPECT_EQ(ledger.why_not(0), Answer::kUnknown);
  EXPECT_EQ(ledger.settled(), 1u);
}

TEST(Ledger, CountsIssuedAsSettledPlusOutstanding) {
  Ledger ledger;
  for (Round t = 1; t <= 20; ++t) {
    ledger.issue({});
    if (t % 3 == 0) ledger.settle(t / 3);
    EXPECT_EQ(ledger.issued(), t);
    EXPECT_EQ(ledger.settled() + ledger.outstanding(), ledger.issued());
  }
  EXPECT_EQ(ledger.settled(), 6u);
  EXPECT_EQ(ledger.delays().most_outstanding, 14u);
}

TEST(Ledger, CountsDelaysInRoundsFromOne) {
  Ledger ledger;
  EXPECT_EQ(ledger.delays().mean(), 0);
  ledger.issue({});
  ledger.settle(1);  // before the next play: 1
  ledger.issue({});
  ledger.issue({});
  ledger.issue({});
  ledger.settle(2);  // played as 2, answered in round 4: 3
  EXPECT_EQ(ledger.delays().mean(), 2);
  EXPECT_EQ(ledger.delays().largest, 3u);
}

}  // namespace
}  // namespace tarry
