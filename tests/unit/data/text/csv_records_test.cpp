// Records of texts that are longer than a block of reading, whatever lies across the end of one.
#include "tarry/data/text/csv_records.h"

#include <algorithm>

#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

using RecordsRead = std::vector<std::vector<std::string>>;

constexpr std::size_t kBlockOfReading = std::size_t{1} << 16;

// Rows "1,2" that end where the byte at `end` begins.
std::string rows_up_to(std::size_t end) {
  std::string text;
  while (text.size() + 12 <= end) text += "1,2\n";
  return text + "1," + std::string(end - text.size() - 3, '2') + "\n";
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Those behind the first so many lines.
RecordsRead records_behind(std::size_t line, TextLines lines) {
  CsvRecords records(lines);
  RecordsRead all;
  for (std::vector<std::string_view> cells; records.next(cells);)
    if (records.place().line > line) all.emplace_back(cells.begin(), cells.end());
  return all;
}

TEST(CsvRecords, AreTheSameWhereverABlockOfReadingEnds) {
  const std::vector<std::pair<std::string, RecordsRead>> tails = {
      {"3,\"x\ny\"\n4,5", {{"3", "x\ny"}, {"4", "5"}}},              // a line end in quotes, and none at the end
      {"3,\"x,\"\"y\"\"\"\n4,5\n", {{"3", "x,\"y\""}, {"4", "5"}}},  // doubled quotes
      {"3,4\r\n\r\n5,6\r\n", {{"3", "4"}, {"5", "6"}}},
      {"\xC3\xA9,\xE2\x82\xAC\n", {{"\xC3\xA9", "\xE2\x82\xAC"}}},  // characters of several bytes
      {"\xE9,7\n4,5\n", {{"\xC3\xA9", "7"}, {"4", "5"}}}};          // Windows-1252
  for (const auto& [tail, records] : tails)
    for (const std::size_t block : {1, 2})
      for (std::size_t before = 0; before <= tail.size() + 4; ++before) {
        const std::string rows = rows_up_to(block * kBlockOfReading - before), text = rows + tail;
        EXPECT_EQ(records_behind(lines_in(rows), TextLines::of_text("f", text)), records) << block << " " << before;
      }
}

TEST(CsvRecords, SplitLinesOfEveryLength) {
  for (std::size_t length = 1; length < 30; ++length)
    for (std::size_t comma = 0; comma < length; ++comma) {
      std::string line(length, 'x');
      line[comma] = ',';
      EXPECT_EQ(records_behind(0, text_lines("f", line)),
                (RecordsRead{{line.substr(0, comma), line.substr(comma + 1)}}));
      EXPECT_EQ(records_behind(0, text_lines("f", "\"" + line + "\",y")), (RecordsRead{{line, "y"}}));
    }
}

TEST(CsvRecords, NameTheLineOfAQuoteThatIsNeverClosed) {
  const std::string rows = rows_up_to(2 * kBlockOfReading - 5), text = rows + "3,\"x\n" + std::string(1000, 'y');
  EXPECT_ERROR(records_behind(0, TextLines::of_text("f", text)), Code::kBadInput,
               "f: line " + std::to_string(lines_in(rows) + 1) + ": a quote is never closed");
}

}  // namespace
}  // namespace tarry::data
