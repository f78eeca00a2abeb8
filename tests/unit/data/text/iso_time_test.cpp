#include "tarry/data/text/iso_time.h"

#include <gtest/gtest.h>

namespace tarry::data {
namespace {

double seconds(std::string_view text) {
  double time = -1;
  EXPECT_TRUE(read_iso_time(text, time)) << text;
  return time;
}

TEST(IsoTime, CountsSecondsSince1970) {
  EXPECT_EQ(seconds("1970-01-01"), 0);
  EXPECT_EQ(seconds("1970-01-02T00:00:01"), 86401);
  EXPECT_EQ(seconds("2024-02-29 12:30"), 1709209800);  // date -u -d '2024-02-29 12:30' +%s
  EXPECT_EQ(seconds(" 2024-02-29T12:30:15.25Z "), 1709209815.25);
  EXPECT_EQ(seconds("1969-12-31T23:59:59"), -1);
}

TEST(IsoTime, KnowsZones) {
  EXPECT_EQ(seconds("2024-02-29T12:30+02:00"), 1709209800 - 7200);
  EXPECT_EQ(seconds("2024-02-29T12:30-0530"), 1709209800 + 5.5 * 3600);
  EXPECT_EQ(seconds("2024-02-29T12:30+02"), seconds("2024-02-29T12:30+02:00"));
}

TEST(IsoTime, KnowsWeeks) {
  EXPECT_EQ(seconds("2024-W09-4T12:30"), 1709209800);
  EXPECT_EQ(seconds("2021-W01-1"), seconds("2021-01-04"));
  EXPECT_EQ(seconds("2020-W53-7"), seconds("2021-01-03"));
  EXPECT_EQ(seconds("2024-W05"), seconds("2024-01-29"));
  double time = 0;
  for (const char* text : {"2024-W00-1", "2024-W54-1", "2024-W05-8", "2024-W05-"})
    EXPECT_FALSE(read_iso_time(text, time));
}

TEST(IsoTime, TellsDaysFromTimes) {
  TimeCell time;
  EXPECT_TRUE(read_iso_time("2024-02-29", time) && !time.has_time && !time.zoned);
  EXPECT_TRUE(read_iso_time("2024-02-29 12:30 UTC", time) && time.has_time && time.zoned && time.seconds == 1709209800);
  EXPECT_TRUE(read_iso_time("2024-02-29 12:30 +0200", time) && time.zone == 7200);
}

TEST(IsoTime, RefusesWhatIsNone) {
  for (const char* text :
       {"", "2024", "2024-02", "2023-02-29", "2024-13-01", "2024-00-10", "24-02-29", "2024-02-29T", "2024-02-29T25:00",
        "2024-02-29T12:60", "2024-02-29T12:30:", "2024-02-29T12:30:00.", "2024-02-29T12:30+", "2024-02-29T12:30+25:00",
        "2024-02-29x", "2024-02-29T12:30ZZ", "2024/02/29", "-2024-02-29", "29.02.2024"}) {
    double time = 0;
    EXPECT_FALSE(read_iso_time(text, time)) << text;
  }
}

}  // namespace
}  // namespace tarry::data
