// Positions of the wanted columns in a table.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {

using Cells = std::vector<std::string_view>;

// The names of columns; repeated ones get numbers: Labels, Labels.2, Labels.3.
std::vector<std::string> column_names(const Cells& header);

class CsvHeader {
 public:
  CsvHeader(const Cells& cells, const Place& place);

  std::size_t size() const { return names_.size(); }
  std::size_t column(const std::string& name) const;  // throws where there is none

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;
  Place place_;
};

}  // namespace tarry::data
