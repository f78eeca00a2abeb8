// What the cells of each column of comma-separated text are, from one pass over all of it.
#pragma once

#include <string>
#include <vector>

#include "tarry/data/text/text_lines.h"

namespace tarry::lab {

struct ColumnProfile {
  std::string name;
  std::size_t given = 0;            // cells that are not missing
  bool numbers = true;              // all of them are finite numbers,
  bool dates = true;                // or dates and times of day
  bool repeats = false;             // some cell comes twice
  std::vector<std::string> values;  // the first different cells, kValues at most

  static constexpr std::size_t kValues = 101;  // one more than there may be classes
  bool empty() const { return given == 0; }
  bool times() const { return !empty() && (numbers || dates); }
};

struct CsvProfile {
  std::size_t rows = 0;
  std::vector<ColumnProfile> columns;
};

// Throws Error{kBadInput} for a file without a header, or a row of another width.
CsvProfile profile_csv(TextLines& lines, char delimiter);

}  // namespace tarry::lab
