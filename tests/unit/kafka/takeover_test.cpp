#include "tarry/kafka/takeover.h"

#include <gtest/gtest.h>

#include "tarry/base/error.h"
#include "unit/expect_error.h"

namespace tarry::kafka {
namespace {

// An error of this code whose message holds this text.
template <class Call>
void expect_error(Code code, const std::string& says, Call call) {
  const Thrown thrown = thrown_by(call);
  EXPECT_EQ(thrown.code, code);
  EXPECT_NE(thrown.message.find(says), std::string::npos) << thrown.message;
}

// Outcomes of the events first … last.
Tail tail_of(Offset first, Offset last, int arithmetic = 0) {
  Tail tail;
  const std::string number = arithmetic == 0 ? "" : ", \"arithmetic\": " + std::to_string(arithmetic);
  for (Offset event = first; event <= last; ++event)
    tail.take(event, "{\"offset\": " + std::to_string(event) + number + ", \"answer\": \"applied\"}");
  tail.reaches_beginning = first == 0;
  return tail;
}

TEST(Takeover, WithNothingThereItBeginsAtTheBeginning) {
  const Start start = choose_start({}, Tail{}, {"2"});
  EXPECT_FALSE(start.snapshot);
  EXPECT_EQ(start.emit_from, 0);
}

TEST(Takeover, FoldsInSilenceFromTheSnapshotToTheLastOutcome) {
  const Start start = choose_start({{50, "2"}, {10, "2"}}, tail_of(40, 79), {"2"});
  EXPECT_EQ(start.snapshot->next, 50);
  EXPECT_EQ(start.emit_from, 80);
  EXPECT_FALSE(start.needs_more_tail);
}

TEST(Takeover, TheHighestOutcomeCountsWhereAnOldOwnerRepeatedLower) {
  Tail tail = tail_of(0, 79);
  tail.take(80, "{\"offset\": 60, \"answer\": \"applied\"}");
  EXPECT_EQ(choose_start({}, tail, {"2"}).emit_from, 80);
}

// More repeats than were read hide how far the outcomes reach: more of them must be read, or events between would be
// answered twice at best.
TEST(Takeover, AsksForMoreWhereTheOutcomesReadEndBeforeTheSnapshot) {
  EXPECT_TRUE(choose_start({{50, "2"}}, tail_of(20, 30), {"2"}).needs_more_tail);
}

TEST(Takeover, OutcomesThatWereLostAreNotSteppedOver) {
  expect_error(Code::kCorrupt, "outcomes were lost", [] { choose_start({{50, "2"}}, tail_of(0, 30), {"2"}); });
  expect_error(Code::kCorrupt, "outcomes were lost", [] { choose_start({{50, "2"}}, Tail{}, {"2"}); });
}

TEST(Takeover, OutcomesThatWereDeletedByAgeAreNoLoss) {
  Tail tail;
  tail.begins_late = true;
  EXPECT_EQ(choose_start({{50, "2"}}, tail, {"2"}).emit_from, 50);
}

TEST(Takeover, NumbersOfTheArithmeticDoNotMix) {
  expect_error(Code::kConflict,
               "events 50 to 79 were answered by tarry 2 with arithmetic 3, and this is 2 with arithmetic 4", [] {
                 choose_start({{50, "2", 3}}, tail_of(0, 79), {"2", 4});
               });
  expect_error(Code::kConflict, "events 50 to 79 were answered by tarry 2, and this is 2 with arithmetic 4", [] {
    choose_start({{50, "2"}}, tail_of(0, 79), {"2", 4});
  });
  EXPECT_EQ(choose_start({{50, "2", 4}}, tail_of(0, 79), {"2", 4}).emit_from, 80);
  EXPECT_EQ(choose_start({{80, "2", 3}}, tail_of(0, 79), {"2", 4}).emit_from, 80);  // drained and saved
  EXPECT_EQ(choose_start({{80, "2", 3}, {80, "2", 4}}, tail_of(0, 79), {"2", 4}).snapshot->arithmetic, 4u);
}

// Where both have a snapshot at the same place, only the outcomes tell whose they are.
TEST(Takeover, OutcomesOfOtherArithmeticAreNotFoldedAgain) {
  const std::vector<SnapshotName> both = {{50, "2", 3}, {50, "2", 4}};
  expect_error(Code::kConflict, "event 50 was answered with arithmetic 4, and this is 2 with arithmetic 3", [&] {
    choose_start(both, tail_of(0, 79, 4), {"2", 3});
  });
  EXPECT_EQ(choose_start(both, tail_of(0, 79, 4), {"2", 4}).emit_from, 80);
  EXPECT_EQ(choose_start({{80, "2", 3}}, tail_of(0, 79, 4), {"2", 3}).emit_from, 80);  // none has to be folded again
  EXPECT_EQ(choose_start(both, tail_of(0, 79), {"2", 3}).emit_from, 80);  // written before there were numbers
}

TEST(Takeover, VersionsDoNotMix) {
  expect_error(Code::kConflict, "events 50 to 79 were answered by tarry 1, and this is 2", [] {
    choose_start({{50, "1"}}, tail_of(0, 79), {"2"});
  });
  EXPECT_EQ(choose_start({{80, "1"}}, tail_of(0, 79), {"2"}).emit_from, 80);  // drained and saved
  const Start ours = choose_start({{50, "2"}, {50, "1"}}, tail_of(0, 79), {"2"});
  EXPECT_EQ(ours.snapshot->engine, "2");
  EXPECT_EQ(choose_start({{50, "3"}, {50, "2"}}, tail_of(0, 79), {"2"}).snapshot->engine, "2");
}

}  // namespace
}  // namespace tarry::kafka
