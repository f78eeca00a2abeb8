#include "tarry/data/text/written_date.h"

#include <gtest/gtest.h>

namespace tarry::data {
namespace {

double seconds(std::string_view text, DateOrder order) {
  double time = -1;
  EXPECT_TRUE(read_date(text, order, time)) << text;
  return time;
}

constexpr double kLeapNoon = 1709209800;  // date -u -d '2024-02-29 12:30' +%s

TEST(WrittenDate, IsReadInTheOrderThatIsSaid) {
  EXPECT_EQ(seconds("29/02/2024 12:30", DateOrder::kDayFirst), kLeapNoon);
  EXPECT_EQ(seconds("02/29/2024 12:30", DateOrder::kMonthFirst), kLeapNoon);
  EXPECT_EQ(seconds(" 29.2.2024, 12:30:15.5 ", DateOrder::kDayFirst), kLeapNoon + 15.5);
  EXPECT_EQ(seconds("29-02-2024 12:30", DateOrder::kDayFirst), kLeapNoon);
  EXPECT_EQ(seconds("01/02/1970", DateOrder::kMonthFirst), 86400);
  EXPECT_EQ(seconds("01/02/1970", DateOrder::kDayFirst), 31 * 86400);
}

TEST(WrittenDate, KnowsMorningsAndAfternoons) {
  EXPECT_EQ(seconds("2/29/2024 12:30 PM", DateOrder::kMonthFirst), kLeapNoon);
  EXPECT_EQ(seconds("2/29/2024 12:30 am", DateOrder::kMonthFirst), kLeapNoon - 12 * 3600);
  EXPECT_EQ(seconds("2/29/2024 1:30:00 PM", DateOrder::kMonthFirst), kLeapNoon + 3600);
}

TEST(WrittenDate, NeedsNoOrderWhereTheYearComesFirst) {
  EXPECT_EQ(seconds("2024/2/29 12:30", DateOrder::kNone), kLeapNoon);
  EXPECT_EQ(seconds("2024-02-29T12:30", DateOrder::kNone), kLeapNoon);
}

TEST(WrittenDate, MayNameItsMonth) {
  for (const char* text :
       {"29-Feb-2024 12:30", "29 February 2024 12:30", "Feb 29 2024 12:30 PM", "February 29, 2024 12:30",
        "Thu, 29 Feb 2024 12:30:00 GMT", "29/Feb/2024:12:30:00 +0000", "29-feb-24 12:30", "29th Feb 2024 12:30"})
    EXPECT_EQ(seconds(text, DateOrder::kNone), kLeapNoon) << text;
  EXPECT_EQ(seconds("Jan 28 2024 3:05 PM", DateOrder::kNone), kLeapNoon - 32 * 86400 + 2 * 3600 + 35 * 60);
  EXPECT_EQ(seconds("29/02/24 12:30", DateOrder::kDayFirst), kLeapNoon);
}

TEST(WrittenDate, RefusesWhatIsNone) {
  for (const char* text : {"", "31/02/2024", "13/13/2024", "1.2.24", "1/2.2024", "1/2/2024 25:00", "1/2/2024 13:00 PM",
                           "1/2/2024 1:30 XM", "1/2/2024x", "0/1/2024", "2024/13/01"}) {
    double time = 0;
    EXPECT_FALSE(read_date(text, DateOrder::kDayFirst, time)) << text;
    EXPECT_FALSE(read_date(text, DateOrder::kMonthFirst, time)) << text;
  }
  double time = 0;
  EXPECT_FALSE(read_date("01/02/2024", DateOrder::kNone, time));
  EXPECT_FALSE(read_date("13/02/2024", DateOrder::kMonthFirst, time));
}

}  // namespace
}  // namespace tarry::data
