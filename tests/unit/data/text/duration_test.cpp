#include "tarry/data/text/duration.h"

#include <gtest/gtest.h>

namespace tarry::data {
namespace {

TEST(Duration, IsToldInTheUnitThatSuits) {
  EXPECT_EQ(spoken_duration(0), "0 seconds");
  EXPECT_EQ(spoken_duration(1), "1 second");
  EXPECT_EQ(spoken_duration(2.5), "2.5 seconds");
  EXPECT_EQ(spoken_duration(12 * 60), "12 minutes");
  EXPECT_EQ(spoken_duration(5.3 * 3600), "5.3 hours");
  EXPECT_EQ(spoken_duration(22 * 3600), "22 hours");
  EXPECT_EQ(spoken_duration(3 * 86400), "3 days");
  EXPECT_EQ(spoken_duration(336.4 * 86400), "336 days");
}

TEST(Duration, IsReadFromACell) {
  double x = 0;
  EXPECT_TRUE(read_length("00:23:11", x).plainly && x == 1391);
  EXPECT_TRUE(read_length("123:00:01.5", x).plainly && x == 123 * 3600 + 1.5);
  EXPECT_TRUE(read_length("2h 15m", x).plainly && x == 8100);
  EXPECT_TRUE(read_length("1 day, 4 hours", x).plainly && x == 28 * 3600);
  const LengthCell alone = read_length("45m", x);
  EXPECT_TRUE(alone.is_length && !alone.plainly && x == 2700);
  for (const char* text : {"", "12:30", "12:60:00", "15m 2h", "2h 2h", "3 kg", "h", "2h 15", "1:2:3:4"})
    EXPECT_FALSE(read_length(text, x).is_length) << text;
}

}  // namespace
}  // namespace tarry::data
