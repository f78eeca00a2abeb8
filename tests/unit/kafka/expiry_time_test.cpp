#include "tarry/kafka/expiry_time.h"

#include <gtest/gtest.h>

namespace tarry::kafka {
namespace {

constexpr std::int64_t kHour = hosting::Clock::kHourMs, kStart = std::int64_t{500'000} * kHour;
using hosting::ClockNews;

// A worker whose clock can be set.
class ExpiryTimeTest : public testing::Test {
 protected:
  std::optional<hosting::ClockNews> look(bool matters = true) { return time_.look(wall_, last_, matters); }
  void pass(std::int64_t ms) {
    wall_ += ms;
    monotonic_ += ms;
  }

  std::int64_t wall_ = kStart, monotonic_ = 7, last_ = kStart - 1000;
  ExpiryTime time_{kHour, [this] { return monotonic_; }};
};

TEST_F(ExpiryTimeTest, GoesByTheWorkersClock) {
  EXPECT_FALSE(time_.began());
  EXPECT_FALSE(look());
  pass(kHour);
  EXPECT_FALSE(look());
  EXPECT_FALSE(time_.holds());
  EXPECT_EQ(time_.now_ms(), kStart + kHour);
}

TEST_F(ExpiryTimeTest, AStepAheadHoldsForAnHourAndIsThenBelieved) {
  look();
  pass(1000);
  wall_ += 30 * kHour;
  EXPECT_EQ(look()->kind, hosting::ClockNews::kAhead);
  EXPECT_TRUE(time_.holds());
  EXPECT_EQ(time_.now_ms(), kStart + 1000);
  pass(kHour - 1);
  EXPECT_FALSE(look());
  EXPECT_TRUE(time_.holds());
  pass(1);
  EXPECT_EQ(look()->kind, hosting::ClockNews::kGoesOn);
  EXPECT_FALSE(time_.holds());
  EXPECT_EQ(time_.now_ms(), wall_);
}

TEST_F(ExpiryTimeTest, SomebodySaysThatItIsRight) {
  look();
  wall_ += 30 * kHour;
  look();
  time_.go_on();
  EXPECT_EQ(look()->kind, hosting::ClockNews::kGoesOn);
  EXPECT_EQ(time_.now_ms(), wall_);
}

TEST_F(ExpiryTimeTest, AStepBackGivesUpNothingEarlierOrLater) {
  look();
  wall_ -= 30 * kHour;
  EXPECT_EQ(look()->kind, hosting::ClockNews::kBehind);
  pass(kHour);
  EXPECT_EQ(look()->kind, hosting::ClockNews::kGoesOn);
  EXPECT_EQ(time_.now_ms(), kStart + kHour);
}

// There is no other record of the time: a worker that starts long after the latest event cannot tell a quiet day from a
// clock that is wrong.
TEST_F(ExpiryTimeTest, AStartLongAfterTheLatestEventHolds) {
  last_ = kStart - 3 * kHour;
  EXPECT_EQ(look()->kind, hosting::ClockNews::kAhead);
  EXPECT_TRUE(time_.holds());
}

TEST_F(ExpiryTimeTest, WhereNoRoundIsGivenUpByTimeNothingIsHeld) {
  last_ = kStart - 3 * kHour;
  look(false);
  EXPECT_FALSE(time_.holds());
  EXPECT_EQ(time_.now_ms(), kStart);
}

}  // namespace
}  // namespace tarry::kafka
