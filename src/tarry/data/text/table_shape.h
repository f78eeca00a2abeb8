// How the rows of a table are written down: comma-separated text with any separator, perhaps below a title, or one JSON
// object a line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {

struct TableShape {
  char delimiter = ',';
  std::size_t header_line = 0;  // where the names of the columns stand; 0: in the first line that is not blank
  bool json = false;            // one object a line, with these
  std::vector<std::string> names = {};
  bool tidy = false;  // cells without spaces around them; rows of nothing but separators, and empty cells past the
                      // last column, do not count
};

using OpenLines = std::function<TextLines()>;  // the table from its beginning, each time

// Throws Error{kBadInput} for JSON that is not one object a line.
TableShape find_shape(const OpenLines& open, std::optional<char> delimiter);

}  // namespace tarry::data
