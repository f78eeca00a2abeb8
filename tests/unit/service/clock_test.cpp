#include "tarry/hosting/clock.h"

#include <gtest/gtest.h>

#include "tarry/hosting/clock_watch.h"
#include "tarry/service/clock_record.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kHour = hosting::Clock::kHourMs, kDay = 24 * kHour, kYear = 365 * kDay, kNow = 50 * kYear;

TEST(Clock, DoesNotBelieveJumpsOfTheWallClock) {
  EXPECT_GE(hosting::Clock(kNow, 0).now_ms(), kNow);
  EXPECT_GE(hosting::Clock(kNow, kNow - 1000).now_ms(), kNow);
  EXPECT_GE(hosting::Clock(kNow, kNow - 2 * kHour).now_ms(), kNow);
  for (const std::int64_t wall :
       {kNow - 10 * kYear, kNow - 1, kNow + 2 * kHour + 1000, kNow + kDay, kNow + 10 * kYear}) {
    const hosting::Clock clock(wall, kNow);
    EXPECT_GT(clock.now_ms(), kNow);
    EXPECT_LT(clock.now_ms(), kNow + 60'000);
  }
}

// A service's clock, a wall clock and the time that really passes, all by hand.
class WatchedClock : public ::testing::Test {
 protected:
  void start(std::int64_t wall_ms, std::int64_t last_ms) {
    wall_ = wall_ms;
    clock_ =
        std::make_unique<hosting::Clock>(wall_, last_ms, std::vector<hosting::TimeShift>(), [this] { return passed_; });
    watch_ = std::make_unique<hosting::ClockWatch>(*clock_, kHour);
  }
  void pass(std::int64_t ms) {
    passed_ += ms;
    wall_ += ms;
  }
  std::optional<hosting::ClockNews> look(bool matters = true) { return watch_->look(wall_, matters); }

  std::int64_t wall_ = 0, passed_ = 12345;
  std::unique_ptr<hosting::Clock> clock_;
  std::unique_ptr<hosting::ClockWatch> watch_;
};

TEST_F(WatchedClock, SaysNothingOfAClockThatGoes) {
  start(kNow, kNow - 1000);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(look());
    EXPECT_FALSE(watch_->holds());
    pass(kHour);
    wall_ += 1000;  // a step too small to be a jump
  }
  EXPECT_EQ(clock_->shifts().size(), 0u);
}

TEST_F(WatchedClock, HoldsForAnHourAfterALaterStartThenGoesOn) {
  start(kNow + 30 * kDay, kNow - 1);
  const auto jump = look();
  ASSERT_TRUE(jump);
  EXPECT_EQ(jump->kind, hosting::ClockNews::kAhead);
  EXPECT_EQ(jump->ahead_ms, 30 * kDay);
  pass(kHour - 1);
  EXPECT_FALSE(look());
  EXPECT_TRUE(watch_->holds());
  EXPECT_EQ(clock_->now_ms(), kNow + kHour - 1);
  pass(1);
  const auto end = look();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, hosting::ClockNews::kGoesOn);
  EXPECT_EQ(end->moved_ms, 30 * kDay);
  EXPECT_FALSE(watch_->holds());
  EXPECT_EQ(clock_->now_ms(), wall_);
  EXPECT_FALSE(look());
}

TEST_F(WatchedClock, GoesOnAtOnceWhenItIsTold) {
  for (const std::int64_t ahead : {30 * kDay, 10 * kYear}) {
    start(kNow + ahead, kNow - 1);
    ASSERT_TRUE(look());
    watch_->go_on();
    EXPECT_EQ(look()->moved_ms, ahead);
    EXPECT_EQ(clock_->now_ms(), wall_);
    watch_->go_on();  // nothing to go on from
    EXPECT_FALSE(look());
  }
}

TEST_F(WatchedClock, NeverBelievesMoreThanAYearByItself) {
  start(kNow + 10 * kYear, kNow - 1);
  EXPECT_EQ(look()->kind, hosting::ClockNews::kTooFar);
  pass(kHour);
  EXPECT_EQ(look()->moved_ms, 0);
  EXPECT_FALSE(watch_->holds());
  EXPECT_EQ(clock_->now_ms(), kNow + kHour);
  pass(kDay);
  EXPECT_FALSE(look());  // it was said
}

TEST_F(WatchedClock, NeverGoesBack) {
  start(kNow, kNow);
  pass(kDay);
  wall_ -= 100 * kDay;
  EXPECT_EQ(look()->kind, hosting::ClockNews::kBehind);
  EXPECT_TRUE(watch_->holds());
  pass(kHour);
  EXPECT_EQ(look()->kind, hosting::ClockNews::kGoesOn);
  EXPECT_EQ(clock_->now_ms(), kNow + kDay + kHour);
  EXPECT_FALSE(look());
}

TEST_F(WatchedClock, AStepThatIsTakenBackLeavesNothing) {
  start(kNow, kNow);
  wall_ += 5 * kDay;
  EXPECT_EQ(look()->kind, hosting::ClockNews::kAhead);
  pass(kHour / 2);
  wall_ -= 5 * kDay;
  EXPECT_EQ(look()->kind, hosting::ClockNews::kAgrees);
  EXPECT_FALSE(watch_->holds());
  EXPECT_EQ(clock_->now_ms(), kNow + kHour / 2);
}

TEST_F(WatchedClock, BelievesAJumpAtOnceWhereNothingWaitsForTime) {
  start(kNow + 30 * kDay, kNow - 1);
  EXPECT_EQ(look(false)->moved_ms, 30 * kDay);
  EXPECT_FALSE(watch_->holds());
  EXPECT_EQ(clock_->now_ms(), wall_);
}

// What was issued while nobody knew the time is as old as it is, not older by the jump.
TEST_F(WatchedClock, RoundsOfTheDoubtfulHourKeepTheirAge) {
  start(kNow + 30 * kDay, kNow - 1);
  ASSERT_TRUE(look());
  const std::int64_t before = kNow - 1;
  pass(kHour / 2);
  const std::int64_t during = clock_->now_ms();
  pass(kHour / 2);
  ASSERT_TRUE(look());
  const std::int64_t after = clock_->now_ms();
  const auto overdue = [&](std::int64_t stamp, std::int64_t waited) { return stamp < clock_->overdue_before(waited); };
  EXPECT_TRUE(overdue(before, 2 * kDay));
  EXPECT_FALSE(overdue(during, 2 * kDay));
  EXPECT_FALSE(overdue(after, 2 * kDay));
  pass(2 * kDay - kHour / 2);
  EXPECT_FALSE(overdue(during, 2 * kDay));
  pass(1);
  EXPECT_TRUE(overdue(during, 2 * kDay));
  EXPECT_FALSE(overdue(after, 2 * kDay));
  pass(kHour / 2);
  EXPECT_TRUE(overdue(after, 2 * kDay));
  pass(40 * kDay);
  EXPECT_TRUE(overdue(during, 30 * kDay) && overdue(after, 30 * kDay));
  // The same after a restart, by the record.
  const hosting::Clock again(wall_, clock_->now_ms(), clock_->shifts(), [this] { return passed_; });
  for (const std::int64_t waited : {kDay, 10 * kDay, 40 * kDay, 42 * kDay, 45 * kDay, 80 * kDay})
    EXPECT_EQ(again.overdue_before(waited), clock_->overdue_before(waited));
}

TEST(ClockRecord, IsReadAsWrittenOrNotAtAll) {
  const ClockRecord record{.at_ms = kNow, .shifts = {{1, 2, 3}, {4, 5, 6}}};
  const std::string bytes = clock_record_bytes(record);
  EXPECT_EQ(read_clock_record(bytes), record);
  EXPECT_EQ(read_clock_record(clock_record_bytes({})), ClockRecord());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= 1;
    EXPECT_FALSE(read_clock_record(damaged)) << i;
    EXPECT_FALSE(read_clock_record(bytes.substr(0, i))) << i;
  }
}

}  // namespace
}  // namespace tarry::service
