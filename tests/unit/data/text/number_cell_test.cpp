#include "tarry/data/text/number_cell.h"

#include <gtest/gtest.h>

namespace tarry::data {
namespace {

NumberCell number(std::string_view text) {
  NumberCell cell;
  EXPECT_TRUE(read_number_cell(text, cell)) << text;
  return cell;
}

TEST(NumberCell, KnowsMoneyAndUnits) {
  EXPECT_EQ(number("$1,234.50").as_point, 1234.5);
  EXPECT_EQ(number("$1,234.50").unit, "$");
  EXPECT_FALSE(number("$1,234.50").comma);
  EXPECT_EQ(number("€1.000,00").as_comma, 1000);
  EXPECT_EQ(number("1 234,5 €").as_comma, 1234.5);
  EXPECT_EQ(number("CHF 12'000").as_point, 12000);
  EXPECT_EQ(number("12 %").unit, "%");
  EXPECT_EQ(number("12 kg").as_point, 12);
  EXPECT_EQ(number("12 kg").unit, "kg");
  EXPECT_EQ(number("1.2k").as_point, 1200);
  EXPECT_EQ(number("$3M").as_point, 3e6);
}

TEST(NumberCell, KnowsBothHabits) {
  EXPECT_EQ(number("3,36").as_comma, 3.36);
  EXPECT_FALSE(number("3,36").point);
  const NumberCell either = number("1,234");
  EXPECT_EQ(either.as_point, 1234);
  EXPECT_EQ(either.as_comma, 1.234);
  EXPECT_EQ(number("0,125").as_comma, 0.125);
  EXPECT_FALSE(number("0,125").point);
  EXPECT_EQ(number("1.234.567").as_comma, 1234567);
  EXPECT_EQ(number("12,34,567").as_point, 1234567);
}

TEST(NumberCell, KnowsSignsAndExponents) {
  EXPECT_EQ(number("(45)").as_point, -45);
  EXPECT_EQ(number("($45.10)").as_point, -45.1);
  EXPECT_EQ(number("-€3").as_point, -3);
  EXPECT_EQ(number("\xE2\x88\x92"
                   "7")
                .as_point,
            -7);
  EXPECT_EQ(number("1e3").as_point, 1000);
  EXPECT_EQ(number("1.234,50-").as_comma, -1234.5);
  EXPECT_TRUE(number("45-").minus_behind);
  EXPECT_EQ(number("1\xC2\xA0"
                   "234")
                .as_point,
            1234);
  EXPECT_TRUE(number("00123").leading_zero);
}

TEST(NumberCell, KnowsLimitsAndAbbreviations) {
  NumberCell cell;
  for (const char* text : {"<0.5", "> 0.5", "≥0.5", "<= 0.5 mg"}) {
    cell = {};
    ASSERT_TRUE(read_number_cell(text, cell)) << text;
    EXPECT_TRUE(cell.limit) << text;
    EXPECT_EQ(cell.as_point, 0.5) << text;
  }
  EXPECT_FALSE(read_number_cell("<b>", cell));
  cell = {};
  ASSERT_TRUE(read_number_cell("7558 руб.", cell));
  EXPECT_EQ(cell.unit, "руб.");
  EXPECT_FALSE(cell.limit);
  ASSERT_TRUE(read_number_cell("Rs. 1,00,000", cell));
  EXPECT_EQ(cell.as_point, 100000);
}

TEST(NumberCell, RefusesWhatIsNone) {
  for (const char* text : {"", "4O", "inf", "nan", "n/a", "2024-03-01", "31.12.2024", "12:30", "1,2,3", "192.168.1.1",
                           "3 4", "a1", "12-15", "kg", "$", "3rd", "5 1/2"}) {
    NumberCell cell;
    EXPECT_FALSE(read_number_cell(text, cell)) << text;
  }
}

TEST(NumberCell, KeepsToTheStyleOfItsColumn) {
  double x = 0;
  EXPECT_TRUE(read_styled("1.000,50 €", {.plain = false, .decimal = ',', .unit = "€"}, x) && x == 1000.5);
  EXPECT_TRUE(read_styled("7", {.plain = false, .decimal = ',', .unit = "€"}, x) && x == 7);
  EXPECT_FALSE(read_styled("7 $", {.plain = false, .decimal = ',', .unit = "€"}, x));
  EXPECT_FALSE(read_styled("1,5", {}, x));
}

}  // namespace
}  // namespace tarry::data
