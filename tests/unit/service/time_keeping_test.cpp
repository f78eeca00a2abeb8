#include "tarry/service/time_keeping.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tarry/hosting/memory_log.h"
#include "tarry/store/disk/real_disk.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kKeptHour = hosting::Clock::kHourMs, kKeptNow = std::int64_t{50} * 365 * 24 * kKeptHour;

class TimeKeepingTest : public ::testing::Test {
 protected:
  TimeKeepingTest() : disk_(store::real_disk()) {
    char name[] = "/tmp/tarry-clock-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~TimeKeepingTest() override { std::filesystem::remove_all(folder_); }

  TimeKeeping start() {
    return {*disk_, folder_,   log_,
            0,      kKeptHour, {.wall = [this] { return wall_; }, .monotonic = [this] { return passed_; }}};
  }
  void pass(std::int64_t ms) {
    wall_ += ms;
    passed_ += ms;
  }
  std::int64_t recorded() const {
    const auto record = read_clock_record(store::read_whole(*disk_, folder_ + "/clock"));
    return record ? record->at_ms : -1;
  }

  std::unique_ptr<store::Disk> disk_;
  std::string folder_;
  std::vector<std::string> said_;
  hosting::JsonLog log_{[] { return std::int64_t{0}; }, [this](std::string_view line) { said_.emplace_back(line); }};
  std::int64_t wall_ = kKeptNow, passed_ = 77;
};

TEST_F(TimeKeepingTest, RecordsTheTimeEveryHour) {
  hosting::MemoryLog log;
  TimeKeeping time = start();
  Service service(log, hosting::Models(), time.clock(), {.broken = [](const std::string&) { FAIL(); }});
  time.tick(service);
  EXPECT_EQ(recorded(), kKeptNow);
  pass(kKeptHour - 1);
  time.tick(service);
  EXPECT_EQ(recorded(), kKeptNow);
  pass(1);
  time.tick(service);
  EXPECT_EQ(recorded(), kKeptNow + kKeptHour);
  EXPECT_TRUE(said_.empty()) << said_.front();
}

TEST_F(TimeKeepingTest, GoesOnFromTheRecordWhateverTheWallClockSays) {
  start().record();
  wall_ -= 100 * kKeptHour;
  EXPECT_EQ(start().clock().now_ms(), kKeptNow + 1);
  wall_ += 200 * kKeptHour;
  EXPECT_EQ(start().clock().now_ms(), kKeptNow + 1);
}

TEST_F(TimeKeepingTest, DoesWithoutARecordThatIsDamaged) {
  store::write_whole(*disk_, folder_, "clock", "TARRYCLK and more");
  EXPECT_EQ(start().clock().now_ms(), kKeptNow);
  ASSERT_EQ(said_.size(), 1u);
  EXPECT_NE(said_[0].find("is damaged"), std::string::npos);
}

}  // namespace
}  // namespace tarry::service
