#include "tarry/ledger/ledger.h"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(Ledger, KeepsAMemoUntilItsRoundIsSettled) {
  Ledger ledger;
  EXPECT_EQ(ledger.issue({1, 2}), 1u);
  EXPECT_EQ(ledger.issue({3}), 2u);
  EXPECT_EQ(ledger.settle(2), (Memo{3}));
  EXPECT_EQ(ledger.settle(1), (Memo{1, 2}));
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
  EXPECT_EQ(ledger.most_outstanding(), 14u);
}

TEST(Ledger, CountsDelaysInRoundsFromOne) {
  Ledger ledger;
  EXPECT_EQ(ledger.mean_delay(), 0);
  ledger.issue({});
  ledger.settle(1);  // before the next play: 1
  ledger.issue({});
  ledger.issue({});
  ledger.issue({});
  ledger.settle(2);  // played as 2, answered in round 4: 3
  EXPECT_EQ(ledger.mean_delay(), 2);
  EXPECT_EQ(ledger.largest_delay(), 3u);
}

}  // namespace
}  // namespace tarry
