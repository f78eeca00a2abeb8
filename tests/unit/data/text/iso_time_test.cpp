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
