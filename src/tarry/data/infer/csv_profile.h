// What the cells of each column of a table are, from one pass over all of it.
#pragma once

#include <string>
#include <vector>

#include "tarry/data/infer/number_tally.h"
#include "tarry/data/text/table_records.h"
#include "tarry/data/text/table_shape.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {

struct ColumnProfile {
  std::string name;
  std::size_t given = 0;          // cells that are not missing
  std::size_t number_cells = 0;   // of these: finite numbers, all written in
  NumberStyle style = {};         // this way,
  std::size_t nothing_cells = 0;  // words that say that there is no number,
  std::size_t date_cells = 0;     // or dates, perhaps with a time of day
  OddCell not_number = {}, not_date = {};
  std::vector<OddCell> odd = {};             // the first that are no numbers, where most are
  std::vector<std::string> units = {};       // of numbers: kg, or kg and g
  double least = 0, most = 0;                // of the numbers
  bool codes = false;                        // numbers such as 00123
  OddCell limit = {};                        // the first number such as <0.5
  bool one_word = false;                     // all that are no numbers are one word, beside decimals or units
  bool written = false;                      // some date is like 31/12/2024,
  bool dotted = true;                        // all of these with dots,
  OddCell day_first = {}, month_first = {};  // and one has a day above 12, which shows its place
  bool has_time = false, zoned = false;      // some date has a time of day, and a zone
  bool compact = false;                      // dates are numbers such as 20240131
  std::size_t never = 0;                 // times at the beginning of 1970, which stand for none; not among those given
  bool repeats = false;                  // some cell comes twice
  std::vector<std::string> values = {};  // the first different cells, kValues at most

  static constexpr std::size_t kValues = 101;  // one more than there may be classes
  static constexpr std::size_t kFewNumbers = 10;
  bool empty() const { return given == 0; }
  bool numbers() const { return number_cells == given; }
  bool dates() const { return date_cells == given; }
  bool times() const { return !empty() && (numbers() || dates()); }
  // Nearly all of its cells are numbers, or dates: what is not may be a mistake.
  bool mostly_numbers() const { return !empty() && number_cells >= given - given / 10; }
  bool mostly_dates() const { return !empty() && date_cells >= given - given / 10; }
  bool mostly_times() const { return mostly_numbers() || mostly_dates(); }
  // A cell that is not given, as means_missing knows, or that is no time.
  bool lacks(std::string_view cell) const;
  // Numbers except a few cells, which count as missing: one, or one in twenty; more of a word for nothing, and up to a
  // third where they all have one word beside many different amounts.
  bool nearly_numbers() const;
};

struct CsvProfile {
  std::size_t rows = 0;
  std::vector<ColumnProfile> columns;
  std::vector<std::vector<std::string>> sample;  // the first rows
  std::size_t header_line = 1;
  std::vector<TableRecords::Footer> footers;  // lines that are no rows
  bool commas = false;                        // decimals follow commas, where a column shows it
};

// Throws Error{kBadInput} for a file without a header, or a row of another width.
CsvProfile profile_csv(TextLines& lines, const TableShape& shape);
CsvProfile profile_csv(TextLines& lines, char delimiter);

// One column again, over the rows in which another, whose profile this is, is not missing.
ColumnProfile profile_where_given(TextLines& lines, const TableShape& shape, std::size_t column, std::size_t where,
                                  const ColumnProfile& given);

}  // namespace tarry::data
