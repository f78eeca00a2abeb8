// Rows that are JSON objects, one a line, as cells of text: lists are joined by |, objects in objects are columns a.b.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarry/data/text/table_shape.h"
#include "tarry/spec/json.h"

namespace tarry::data {

// All names in any of the rows, in the order in which they come. Throws Error{kBadInput} naming the line.
std::vector<std::string> names_in_json_rows(const OpenLines& open);

class JsonRows {
 public:
  JsonRows(TextLines& lines, const std::vector<std::string>& names);

  // The names first, then the cells of each row; a name that a row lacks is an empty cell.
  bool next(std::vector<std::string_view>& cells);
  const Place& place() const { return place_; }

 private:
  TextLines* lines_;
  const std::vector<std::string>& names_;
  std::vector<std::string> texts_;
  spec::JsonReader reader_;
  Place place_{};
  bool begun_ = false;
};

}  // namespace tarry::data
