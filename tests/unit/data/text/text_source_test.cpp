#include "tarry/data/text/text_source.h"

#include "tarry/data/text/text_lines.h"
#include "unit/data/files.h"
#include "unit/data/gzip.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

std::string read_all(const std::string& path, std::size_t piece = 1000) {
  const ByteSource source = open_text(path);
  std::string text, block(piece, '\0');
  while (const std::size_t n = source(block.data(), piece)) text.append(block, 0, n);
  return text;
}

// Too large for one block and hard to compress.
std::string long_text() {
  std::string text;
  for (std::uint64_t i = 0; i < 60000; ++i) text += std::to_string(i * i * 2654435761u) + "\n";
  return text;
}

TEST(TextSource, ReadsPlainText) {
  const std::string text = long_text();
  EXPECT_EQ(read_all(TestFile("plain", text).path()), text);
  EXPECT_EQ(read_all(TestFile("empty", "").path()), "");
  EXPECT_EQ(read_all(TestFile("short", "\x1f").path()), "\x1f");
}

TEST(TextSource, UnpacksGzipWhateverTheFileIsCalled) {
  const std::string text = long_text();
  const TestFile file("packed.csv", gzip(text));
  for (std::size_t piece : {std::size_t{7}, std::size_t{1000}, std::size_t{1} << 20})
    EXPECT_EQ(read_all(file.path(), piece), text) << piece;
  EXPECT_EQ(read_all(TestFile("nothing.gz", gzip("")).path()), "");
}

TEST(TextSource, UnpacksEveryMemberOfGzip) {
  EXPECT_EQ(read_all(TestFile("members.gz", gzip("one\n") + gzip("") + gzip("two\n")).path()), "one\ntwo\n");
}

TEST(TextSource, NamesAFileThatCannotBeRead) {
  EXPECT_ERROR(open_text("/no/such/file"), Code::kBadInput, "/no/such/file: No such file or directory");
  EXPECT_ERROR(open_text("/tmp"), Code::kBadInput, "/tmp: Is a directory");
  EXPECT_ERROR(TextLines("/no/such/file"), Code::kBadInput, "/no/such/file: No such file or directory");
}

TEST(TextSource, SeesWhereGzipEndsEarly) {
  const std::string packed = gzip(long_text());
  for (std::size_t size : {std::size_t{2}, std::size_t{5}, packed.size() / 2, packed.size() - 8, packed.size() - 1}) {
    const TestFile file("cut.gz", std::string_view(packed).substr(0, size));
    EXPECT_ERROR(read_all(file.path()), Code::kCorrupt, file.path() + ": the gzip data ends early");
  }
  const TestFile second("second.gz", gzip("one\n") + packed.substr(0, 100));
  EXPECT_ERROR(read_all(second.path()), Code::kCorrupt, second.path() + ": the gzip data ends early");
}

TEST(TextSource, SeesCorruptGzip) {
  std::string packed = gzip(long_text());
  packed[packed.size() - 6] ^= 1;  // in the checksum
  const TestFile file("corrupt.gz", packed);
  EXPECT_ERROR(read_all(file.path()), Code::kCorrupt,
               file.path() + ": the gzip data is corrupt (incorrect data check)");
  const TestFile trailing("trailing.gz", gzip("one\n") + "and more");
  EXPECT_ERROR(read_all(trailing.path()), Code::kCorrupt, trailing.path() + ": something else follows the gzip data");
}

TEST(TextLines, DropLineEndsAndTheByteOrderMark) {
  TextLines lines = text_lines("f", "\xEF\xBB\xBFone\r\n\r\n\xEF\xBB\xBFthree");
  std::string_view line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "one");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "\xEF\xBB\xBFthree");
  EXPECT_EQ(lines.place().line, 3u);
  EXPECT_FALSE(lines.next(line));
}

TEST(TextLines, ReadNumbersStrictly) {
  const Place place{"f", 2};
  for (const auto& [text, number] : {std::pair{"1", 1.0}, {" -2.5e1 ", -25.0}, {"+3", 3.0}, {".5", 0.5}})
    EXPECT_EQ(place.number("x", text), number);
  EXPECT_EQ(place.number("x", "6", 4), 1.5);
  for (const char* text : {"", " ", "abc", "1x", "1 2", "+-1", "++1", "0x10", "1,5", "1e999"})
    EXPECT_ERROR(place.number("x", text), Code::kBadInput,
                 std::string("f: line 2: x must be a number (\"") + text + "\" came)");
  for (const char* text : {"nan", "inf", "-inf"})
    EXPECT_ERROR(place.number("x", text), Code::kBadInput,
                 std::string("f: line 2: x must be a finite number (\"") + text + "\" came)");
  EXPECT_ERROR(place.number("x", "1e101"), Code::kBadInput,
               "f: line 2: x must be at most 1e100 in size (\"1e101\" came)");
  EXPECT_ERROR(place.number("x", "1e99", 1e-9), Code::kBadInput,
               "f: line 2: x must be at most 1e100 in size (\"1e99\" came)");
}

}  // namespace
}  // namespace tarry::data
