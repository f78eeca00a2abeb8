#include "tarry/data/infer/column_names.h"

#include <gtest/gtest.h>

namespace tarry::data {
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

TEST(ColumnNames, SayWhatNamesARow) {
  for (const char* name : {"order_id", "LocationID", "id", "case", "key", "session uuid"})
    EXPECT_TRUE(is_id_name(name)) << name;
  for (const char* name : {"idle", "paid", "case_type", "width"}) EXPECT_FALSE(is_id_name(name)) << name;
}

TEST(ColumnNames, SayWhatIsWrittenAtTheEnd) {
  for (const char* name : {"moves_final", "final_status", "closed_by", "resolution_code", "n_events", "reopen_count"})
    EXPECT_TRUE(is_known_later(name)) << name;
  for (const char* name : {"count", "n_items", "price", "finals_seen", "events"})
    EXPECT_FALSE(is_known_later(name)) << name;
}

TEST(ColumnNames, SayTheirUnit) {
  EXPECT_EQ(unit_in_name("pickup_s"), 1);
  EXPECT_EQ(unit_in_name("submit_utc_ms"), 1e-3);
  EXPECT_EQ(unit_in_name("closed_min"), 60);
  EXPECT_EQ(unit_in_name("start_days"), 86400);
  EXPECT_EQ(unit_in_name("created_at"), 0);
}

}  // namespace
}  // namespace tarry::data
