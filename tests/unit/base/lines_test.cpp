#include "tarry/base/lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "unit/expect_error.h"

namespace tarry {
namespace {

// Hands out `text` in pieces of at most `piece` bytes.
ByteSource pieces(std::string text, std::size_t piece) {
  return [text = std::move(text), piece, at = std::size_t{0}](char* into, std::size_t room) mutable {
    const std::size_t count = std::min({piece, room, text.size() - at});
    std::memcpy(into, text.data() + at, count);
    at += count;
    return count;
  };
}

std::vector<std::string> all_lines(LineReader reader) {
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
    EXPECT_EQ(reader.number(), lines.size());
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, SplitsTheSameHoweverShortTheReadsAre) {
  const Lines expected = {"one", "", "three", std::string(200000, 'x'), "last"};
  std::string text;
  for (const std::string& line : expected) text += line + "\n";
  for (std::size_t piece : {std::size_t{1000}, std::size_t{65536}, text.size()})
    EXPECT_EQ(all_lines(LineReader(pieces(text, piece))), expected) << piece;
  EXPECT_EQ(all_lines(LineReader(pieces("ab\n\ncd\n", 1))), (Lines{"ab", "", "cd"}));
}

TEST(LineReader, GivesALastLineWithoutNewline) {
  EXPECT_EQ(all_lines(LineReader(pieces("a\nb", 1))), (Lines{"a", "b"}));
  EXPECT_EQ(all_lines(LineReader(pieces("b", 8))), (Lines{"b"}));
  EXPECT_EQ(all_lines(LineReader(pieces("b\n", 8))), (Lines{"b"}));
}

TEST(LineReader, OfNothingGivesNothing) {
  EXPECT_EQ(all_lines(LineReader(pieces("", 8))), Lines{});
  EXPECT_EQ(all_lines(LineReader(pieces("\n", 8))), (Lines{""}));
}

TEST(LineReader, KeepsCarriageReturnsAndZeroBytes) {
  EXPECT_EQ(all_lines(LineReader(pieces(std::string("a\r\nb\0c\n", 7), 3))), (Lines{"a\r", std::string("b\0c", 3)}));
}

TEST(LineReader, HandsALineOutBeforeTheNextArrives) {
  int reads = 0;
  LineReader reader([&](char* into, std::size_t) {
    ++reads;
    std::memcpy(into, "line\n", 5);
    return std::size_t{5};
  });
  std::string_view line;
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(reads, i);
  }
}

TEST(LineReader, RefusesALineThatIsTooLong) {
  std::string_view line;
  LineReader fits(pieces("0123456789\n0123456789", 3), 10);
  EXPECT_TRUE(fits.next(line));
  EXPECT_TRUE(fits.next(line));
  EXPECT_EQ(line, "0123456789");
  LineReader long_second(pieces("short\n0123456789A\n", 4), 10);
  EXPECT_TRUE(long_second.next(line));
  EXPECT_ERROR(long_second.next(line), Code::kBadInput, "line 2: longer than 10 bytes");
  LineReader endless([](char* into, std::size_t room) { return std::memset(into, 'x', room), room; }, 1 << 20);
  EXPECT_ERROR(endless.next(line), Code::kBadInput, "line 1: longer than 1048576 bytes");
}

TEST(LineReader, TakesNoByteOrderMarkForText) {
  std::string_view line;
  LineReader reader(
      pieces("\xEF\xBB\xBF"
             "first\n\xEF\xBB\xBFsecond\n",
             2));
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "first");
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "\xEF\xBB\xBFsecond");
}

}  // namespace
}  // namespace tarry
