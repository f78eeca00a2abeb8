#include "tarry/data/text/short_number.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <string>

#include "tarry/base/random.h"

namespace tarry::data {
namespace {

std::uint64_t bits_by_from_chars(const std::string& text) {
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  EXPECT_TRUE(error == std::errc() && stop == text.data() + text.size()) << text;
  return std::bit_cast<std::uint64_t>(number);
}

TEST(ShortNumber, HasTheBitsOfFromChars) {
  RandomSequence random(3, 1);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random.below(2) == 0 ? "" : "-";
    const std::uint64_t digits = 1 + random.below(17), point = random.below(20);
    for (std::uint64_t k = 0; k < digits; ++k) {
      if (k == point) text += '.';
      text += static_cast<char>('0' + random.below(10));
    }
    double number = 0;
    if (!read_short_number(text, number)) continue;
    ++read;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(number), bits_by_from_chars(text)) << text;
  }
  EXPECT_GT(read, 15'000);
}

TEST(ShortNumber, KnowsZerosPointsAndSigns) {
  for (const std::string text : {"0", "-0", "-0.0", "5.", ".5", "-.25", "000000000000001", "999999999999999"}) {
    double number = 7;
    EXPECT_TRUE(read_short_number(text, number)) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(number), bits_by_from_chars(text)) << text;
  }
}

TEST(ShortNumber, LeavesTheRestToOthers) {
  for (const std::string text : {"", "-", ".", "-.", "+1", "1e5", "1,5", " 1", "1 ", "--1", "1.2.3", "nan", "inf",
                                 "0x1", "1234567890123456", "0.1234567890123456"}) {
    double number = 7;
    EXPECT_FALSE(read_short_number(text, number)) << text;
    EXPECT_EQ(number, 7) << text;
  }
}

}  // namespace
}  // namespace tarry::data
