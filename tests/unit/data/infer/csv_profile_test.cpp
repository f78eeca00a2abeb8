// Tables of many batches of records, which threads go through by columns.
#include "tarry/data/infer/csv_profile.h"

#include <fmt/format.h>

#include "tarry/linalg/parallel.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

// Columns of several kinds, whose odd cells are far into the text; `width` of them.
std::string mixed_table(std::size_t rows, std::size_t width) {
  std::string text = "x0";
  for (std::size_t i = 1; i < width; ++i) text += fmt::format(",x{}", i);
  text += '\n';
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < width; ++i) {
      if (i % 5 == 0) text += fmt::format("{}", 0.25 * static_cast<double>(row * (i + 1) % 997));
      if (i % 5 == 1) text += fmt::format("word{}", row % (i + 40));
      if (i % 5 == 2) text += fmt::format("2024-{:02}-{:02}", 1 + row % 12, 1 + row % 28);
      if (i % 5 == 3) text += row % 1000 == 999 ? "n/a" : fmt::format("{},{}", "\"1", row % 9 + 1) + "\"";
      if (i % 5 == 4) text += row + 7 == rows ? "\"odd,\none\"" : fmt::format("{} kg", row % 13);
      text += i + 1 == width ? '\n' : ',';
    }
  return text;
}

std::string profile_as_text(const CsvProfile& profile) {
  std::string all = fmt::format("{} rows, commas {}\n", profile.rows, profile.commas);
  for (const ColumnProfile& column : profile.columns)
    all += fmt::format(
        "{}: {} given, {} numbers, {} dates, {} nothing, [{}, {}], unit {}, decimal {}, repeats {}, odd {} {}, values "
        "{}\n",
        column.name, column.given, column.number_cells, column.date_cells, column.nothing_cells, column.least,
        column.most, column.style.unit, column.style.decimal, column.repeats, column.not_number.line,
        column.not_number.text, fmt::join(column.values, "|"));
  return all;
}

CsvProfile profile_with(int threads, const std::string& text) {
  const ThreadLimit limit(threads);
  TextLines lines = text_lines("f", text);
  return profile_csv(lines, ',');
}

TEST(CsvProfile, IsTheSameWhateverTheThreads) {
  for (const std::size_t width : {std::size_t{1}, std::size_t{11}}) {
    const std::string text = mixed_table(9000, width);
    const CsvProfile one = profile_with(1, text);
    EXPECT_EQ(one.rows, 9000u);
    for (const int threads : {2, 3}) EXPECT_EQ(profile_as_text(profile_with(threads, text)), profile_as_text(one));
  }
}

TEST(CsvProfile, KnowsTheLineOfAnOddCellFarIntoTheText) {
  const CsvProfile profile = profile_with(2, mixed_table(9000, 5));
  EXPECT_EQ(profile.columns[4].not_number.line, 8995u);
  EXPECT_EQ(profile.columns[4].not_number.text, "odd,\none");
}

TEST(CsvProfile, RefusesARowOfAnotherWidthFarIntoTheText) {
  const std::string rows = mixed_table(5000, 3);
  EXPECT_ERROR(profile_with(2, rows + "1,2\n" + rows), Code::kBadInput,
               "f: line 5002: has 2 cells, but the header has 3");
}

TEST(CsvProfile, TakesHugeFieldsAndZeroBytes) {
  std::string text = "a,b\n";
  for (int row = 0; row < 20; ++row) text += std::string(100'000, 'z') + "," + std::string("x\0y", 3) + "\r\n";
  const CsvProfile profile = profile_with(2, text);
  EXPECT_EQ(profile.rows, 20u);
  EXPECT_EQ(profile.columns[0].values, std::vector<std::string>{std::string(100'000, 'z')});
  EXPECT_EQ(profile.columns[1].values, std::vector<std::string>{std::string("x\0y", 3)});
}

}  // namespace
}  // namespace tarry::data
