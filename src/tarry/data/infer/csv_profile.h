// What the cells of each column of comma-separated text are, from one pass over all of it.
#pragma once

#include <string>
#include <vector>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {

// A cell that is not like the others of its column.
struct OddCell {
  std::size_t line = 0;  // 0: there is none
  std::string text = {};
};

struct ColumnProfile {
  std::string name;
  std::size_t given = 0;         // cells that are not missing
  std::size_t number_cells = 0;  // of these: finite numbers,
  std::size_t date_cells = 0;    // or dates, perhaps with a time of day
  OddCell not_number = {}, not_date = {};
  double least = 0, most = 0;                // of the numbers
  bool written = false;                      // some date is like 31/12/2024,
  OddCell day_first = {}, month_first = {};  // and one has a day above 12, which shows where it stands
  bool repeats = false;                      // some cell comes twice
  std::vector<std::string> values = {};      // the first different cells, kValues at most

  static constexpr std::size_t kValues = 101;  // one more than there may be classes
  bool empty() const { return given == 0; }
  bool numbers() const { return number_cells == given; }
  bool dates() const { return date_cells == given; }
  bool times() const { return !empty() && (numbers() || dates()); }
  // Nearly all of its cells are numbers, or dates: what is not may be a mistake.
  bool mostly_numbers() const { return !empty() && number_cells >= given - given / 10; }
  bool mostly_dates() const { return !empty() && date_cells >= given - given / 10; }
  bool mostly_times() const { return mostly_numbers() || mostly_dates(); }
};

struct CsvProfile {
  std::size_t rows = 0;
  std::vector<ColumnProfile> columns;
  std::vector<std::vector<std::string>> sample;  // the first rows
};

// Throws Error{kBadInput} for a file without a header, or a row of another width.
CsvProfile profile_csv(TextLines& lines, char delimiter);

// One column again, over the rows in which another is not missing.
ColumnProfile profile_where_given(TextLines& lines, char delimiter, std::size_t column, std::size_t where);

}  // namespace tarry::data
