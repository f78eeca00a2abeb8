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
  EXPECT_EQ(seconds("29.02.24 12:30", DateOrder::kDayFirst), kLeapNoon);
}

TEST(WrittenDate, IsReadAsProgramsWriteIt) {
  for (const char* text : {"20240229T123000", "20240229T1230Z", "20240229T133000+0100", "2024-02-29T12:30",
                           "Thu Feb 29 2024 13:30:00 GMT+0100 (Central European Standard Time)",
                           "Thu Feb 29 12:30:00 2024", "Thu Feb 29 12:30:00 UTC 2024", "February 29, 2024 at 12:30 PM"})
    EXPECT_EQ(seconds(text, DateOrder::kNone), kLeapNoon) << text;
  EXPECT_EQ(seconds("2024-02-29T12", DateOrder::kNone), kLeapNoon - 1800);
  TimeCell packed;
  EXPECT_TRUE(read_compact_date("20240229123000", packed) && packed.has_time && packed.seconds == kLeapNoon);
  EXPECT_FALSE(read_compact_date("20240229253000", packed));
}

TEST(WrittenDate, NamesItsMonthInOtherLanguages) {
  for (const char* text :
       {"29. Februar 2024 12:30 Uhr", "Donnerstag, 29. Feb. 2024 12:30", "29 f\xC3\xA9vrier 2024 12:30",
        "jeudi 29 f\xC3\xA9vr. 2024 \xC3\xA0 12:30", "29 de febrero de 2024 12:30"})
    EXPECT_EQ(seconds(text, DateOrder::kNone), kLeapNoon) << text;
  // A day of the week and a month begin alike.
  EXPECT_EQ(seconds("mar 4 2024", DateOrder::kNone), seconds("2024-03-04", DateOrder::kNone));
  EXPECT_EQ(seconds("mar. 5 mars 2024", DateOrder::kNone), seconds("2024-03-05", DateOrder::kNone));
  EXPECT_EQ(seconds("4. M\xC3\xA4rz 2024", DateOrder::kNone), seconds("4 marzo 2024", DateOrder::kNone));
}

TEST(WrittenDate, WithAShortYearMayBeAVersion) {
  WrittenDate date;
  EXPECT_TRUE(read_written_date("1.2.24", date) && date.like_version);
  EXPECT_TRUE(read_written_date("01.02.24", date) && !date.like_version);
  EXPECT_TRUE(read_written_date("1.2.24 08:00", date) && !date.like_version);
  EXPECT_TRUE(read_written_date("1.2.2024", date) && date.year == 2024);
}

TEST(WrittenDate, RefusesWhatIsNone) {
  for (const char* text : {"", "31/02/2024", "13/13/2024", "1.2.4", "1/2.2024", "1/2/2024 25:00", "1/2/2024 13:00 PM",
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
