#include "tarry/data/infer/column_names.h"

#include <gtest/gtest.h>

namespace tarry::lab {
namespace {

using Words = std::vector<std::string>;

TEST(ColumnNames, AreWords) {
  EXPECT_EQ(words_of("t_feedback"), (Words{"t", "feedback"}));
  EXPECT_EQ(words_of("feedbackTime"), (Words{"feedback", "time"}));
  EXPECT_EQ(words_of("Feedback time (UTC)"), (Words{"feedback", "time", "utc"}));
  EXPECT_EQ(words_of("  "), Words{});
}

TEST(ColumnNames, SayWhichTime) {
  for (const char* name : {"event_time", "t_event", "EventTimestamp", "event date"}) {
    EXPECT_EQ(time_name(name).event, 2) << name;
    EXPECT_EQ(time_name(name).feedback, 0) << name;
  }
  for (const char* name : {"feedback_time", "t_feedback_min", "feedbackAt"}) EXPECT_EQ(time_name(name).feedback, 2);
  for (const char* name : {"created_at", "asked", "pickup_datetime", "t_depart_min", "start_date"})
    EXPECT_EQ(time_name(name).event, 1) << name;
  for (const char* name : {"answered_at", "known", "dropoff_datetime", "label_time", "end_date"})
    EXPECT_EQ(time_name(name).feedback, 1) << name;
  for (const char* name : {"label", "outcome", "order", "start", "distance", "event", "feedback"}) {
    EXPECT_EQ(time_name(name).event, 0) << name;  // without a word of time they may be anything
    EXPECT_EQ(time_name(name).feedback, 0) << name;
  }
}

TEST(ColumnNames, SayWhatToPredict) {
  for (const char* name : {"label", "Label", "y", "target", "CLASS", "outcome"}) EXPECT_TRUE(is_label_name(name));
  for (const char* name : {"label_time", "x", "", "classes"}) EXPECT_FALSE(is_label_name(name));
}

}  // namespace
}  // namespace tarry::lab
