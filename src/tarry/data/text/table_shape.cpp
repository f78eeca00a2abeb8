#include "tarry/data/text/table_shape.h"

#include <algorithm>
#include <map>
#include <memory>

#include "tarry/base/error.h"
#include "tarry/data/text/csv_records.h"
#include "tarry/data/text/json_rows.h"

namespace tarry::data {
namespace {

constexpr std::size_t kLooked = 200;  // records from the beginning
constexpr std::size_t kTitles = 20;   // lines that may come before the header

struct Record {
  std::size_t line;
  std::size_t width, given;  // cells, and those that are not empty
  bool comment;
};

std::vector<Record> first_records(const OpenLines& open, char delimiter) {
  std::vector<Record> records;
  TextLines lines = open();
  CsvRecords each(lines, delimiter);
  std::vector<std::string_view> cells;
  try {
    while (records.size() < kLooked && each.next(cells)) {
      const auto given = std::count_if(cells.begin(), cells.end(), [](auto cell) { return !trimmed(cell).empty(); });
      records.push_back({each.place().line, cells.size(), static_cast<std::size_t>(given), cells[0].starts_with('#')});
    }
  } catch (const Error& error) {
    if (error.code() != Code::kBadInput) throw;  // a wrong quote is reported when the rows are read
  }
  return records;
}

// The width that most records have, and how many have it.
std::pair<std::size_t, std::size_t> usual_width(const std::vector<Record>& records) {
  std::map<std::size_t, std::size_t> counts;
  for (const Record& record : records) ++counts[record.width];
  std::pair<std::size_t, std::size_t> most{0, 0};
  for (const auto& [width, count] : counts)
    if (count >= most.second) most = {width, count};
  return most;
}

// The separator by which most records have the same number of cells; of two such, the one that makes more cells.
char delimiter_of(const OpenLines& open) {
  char best = ',';
  std::size_t best_share = 0, best_width = 1;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const std::vector<Record> records = first_records(open, delimiter);
    const auto [width, count] = usual_width(records);
    if (width < 2) continue;
    const std::size_t share = 10 * count / records.size();
    if (share < best_share || (share == best_share && width <= best_width)) continue;
    best = delimiter;
    best_share = share;
    best_width = width;
  }
  return best;
}

// Lines above the table are a title where they have fewer cells than its rows.
std::size_t header_line_of(const std::vector<Record>& records) {
  const auto [width, count] = usual_width(records);
  if (records.empty() || width < 2) return 0;
  for (std::size_t i = 0; i < std::min(records.size(), kTitles); ++i) {
    const Record& record = records[i];
    const bool few = record.given <= 2 && record.given < width;
    const bool title = record.comment || (few && (record.width < width || 2 * record.given < width));
    if (!title) return i == 0 ? 0 : record.line;
  }
  return 0;
}

}  // namespace

TableShape find_shape(const OpenLines& open, std::optional<char> delimiter) {
  TableShape shape{.tidy = true};
  TextLines lines = open();
  std::string_view line;
  while (lines.next(line) && trimmed(line).empty()) {
  }
  line = trimmed(line);
  if (line.starts_with('{') || line.starts_with("[{") || line == "[") {
    shape.json = true;
    shape.names = names_in_json_rows(open);
    return shape;
  }
  if (line.starts_with("sep=") && line.size() == 5) delimiter = delimiter.value_or(line[4]);  // as spreadsheets say it
  shape.delimiter = delimiter ? *delimiter : delimiter_of(open);
  shape.header_line = header_line_of(first_records(open, shape.delimiter));
  return shape;
}

}  // namespace tarry::data
