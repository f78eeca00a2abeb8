// The first half of an ARFF file: what its attributes are called and what they hold. Also splits lines of cells.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {

struct ArffAttribute {
  std::string name;
  bool nominal = false;  // one of the words; otherwise a number, or a text that is no feature
  bool numeric = false;
  std::vector<std::string> words;                 // as declared
  std::map<std::string, int, std::less<>> place;  // of each word
};

// Reads up to and including the line @data.
std::vector<ArffAttribute> read_arff_header(TextLines& lines);

// The next line of data or header, trimmed; comments (%) and blank lines are skipped.
bool next_arff_line(TextLines& lines, std::string_view& line);

// Cells between commas. A cell in single or double quotes may hold commas, and a backslash before any character.
void split_arff_cells(std::string_view line, const Place& place, std::vector<std::string>& cells);

}  // namespace tarry::data
