#include "tarry/kafka/outcome_head.h"

#include <gtest/gtest.h>

#include "tarry/base/arithmetic.h"
#include "tarry/features/hash.h"
#include "tarry/kafka/partition.h"

namespace tarry::kafka {
namespace {

TEST(OutcomeHead, TellsTheEventAndTheArithmetic) {
  const auto head = outcome_head(R"({"offset": 17, "arithmetic": 5, "answer": "applied"})");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->offset, 17);
  EXPECT_EQ(head->arithmetic, 5u);
  EXPECT_EQ(head->rest, R"("answer": "applied"})");
}

TEST(OutcomeHead, ReadsOutcomesFromBeforeThereWereNumbers) {
  const auto head = outcome_head(R"({"offset": 17, "answer": "applied", "key": "\"arithmetic\": 5, "})");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->arithmetic, kArithmeticUnknown);
  EXPECT_EQ(head->rest, R"("answer": "applied", "key": "\"arithmetic\": 5, "})");
}

TEST(OutcomeHead, RefusesWhatIsNone) {
  for (const char* other : {"", "{}", R"({"offset": )", R"({"offset": 17)", R"({"offset": -1, )", R"({"offset": x, )",
                            R"({"offset": 99999999999999999999, )", R"( {"offset": 1, )",
                            R"({"offset": 1, "arithmetic": x, )", R"({"offset": 1, "arithmetic": 5)"})
    EXPECT_FALSE(outcome_head(other)) << other;
}

TEST(OutcomeHead, APartitionSaysItsNumber) {
  Partition partition;
  const std::string outcome = record_of(partition.apply({.offset = 0, .at_ms = 1, .key = "m", .value = "poison"})).json;
  EXPECT_EQ(outcome_head(outcome)->arithmetic, kArithmetic);
}

TEST(OutcomeHead, AFoldOfAnotherNumberIsNeverCompared) {
  const std::string same = R"("answer": "applied"})", other = R"("answer": "expired"})";
  const std::uint64_t fold = hash_text(same);
  const auto compared = [&](std::uint64_t number, const std::string& rest) {
    return compare({.offset = 1, .arithmetic = number, .rest = rest}, fold);
  };
  EXPECT_EQ(compared(kArithmetic, same), Compared::kSame);
  EXPECT_EQ(compared(kArithmetic, other), Compared::kDifferent);
  EXPECT_EQ(compared(kArithmetic + 1, other), Compared::kNotCompared);
  EXPECT_EQ(compared(kArithmetic + 1, same), Compared::kNotCompared);
  EXPECT_EQ(compared(kArithmeticUnknown, same), Compared::kSame);
  EXPECT_EQ(compared(kArithmeticUnknown, other), Compared::kNotCompared);
}

}  // namespace
}  // namespace tarry::kafka
