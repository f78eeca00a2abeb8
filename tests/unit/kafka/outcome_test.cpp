#include "tarry/kafka/outcome.h"

#include <gtest/gtest.h>

#include "tarry/base/error.h"

namespace tarry::kafka {
namespace {

using hosting::Fate;
using hosting::Rejection;

TEST(Outcome, IsReadWhateverItsKeyHolds) {
  const char* const text =
      R"({"offset": 2, "answer": "applied", "round": 1, "incarnation": 5, "key": ", \"reply\": {}", "reply": {"round": 1}})";
  const RecordOutcome outcome = read_outcome(text);
  EXPECT_EQ(outcome.offset, 2);
  EXPECT_EQ(outcome.fate, Fate::kApplied);
  EXPECT_EQ(outcome.incarnation, 5u);
  EXPECT_EQ(outcome.key, ", \"reply\": {}");
  EXPECT_EQ(outcome.reply, PlayReply{.round = 1});
  EXPECT_EQ(record_of(outcome).json, text);
  EXPECT_FALSE(record_of(outcome).rejected);
  for (const char* wrong : {"", "{}", "7", R"({"offset": 1, "answer": "perhaps"})", R"({"offset": 1, "answer": 1})",
                            R"({"offset": 1, "answer": "applied", "reply": 7})"})
    EXPECT_THROW(read_outcome(wrong), Error) << wrong;
}

TEST(Outcome, HasTheRejectionThatWasWritten) {
  const char* const text =
      R"({"offset": 3, "error": {"status": 422, "code": "bad_input", "message": "x", "key": "label"}})";
  const RecordOutcome refused = read_outcome(text);
  ASSERT_TRUE(refused.rejection);
  EXPECT_EQ(refused.rejection->kind(), Rejection::kUnusable);
  EXPECT_EQ(refused.rejection->key(), "label");
  EXPECT_EQ(record_of(refused).json, text);
  EXPECT_TRUE(record_of(refused).rejected);
}

// Counted by what it is: the words of an error in a name make none.
TEST(Outcome, IsNoRejectionForTheWordsInIt) {
  const RecordOutcome outcome{.offset = 0,
                              .fate = Fate::kApplied,
                              .round = 1,
                              .incarnation = 1,
                              .key = "\"error\": {",
                              .reply = PlayReply{.round = 1}};
  EXPECT_FALSE(record_of(outcome).rejected);
}

TEST(Outcome, OfAReplyThatNoRecordHoldsIsARejection) {
  RecordOutcome outcome{.offset = 0, .fate = Fate::kApplied, .round = 1, .incarnation = 1};
  outcome.reply = PlayReply{.round = 1, .decision = ShownDecision{.x = Vec(kLargestReply, 0.5), .names = {}}};
  const OutcomeBytes record = record_of(outcome);
  EXPECT_TRUE(record.rejected);
  const RecordOutcome read = read_outcome(record.json);
  ASSERT_TRUE(read.rejection);
  EXPECT_EQ(read.rejection->code(), "too_large");
  EXPECT_EQ(read.fate, Fate::kApplied);
}

}  // namespace
}  // namespace tarry::kafka
