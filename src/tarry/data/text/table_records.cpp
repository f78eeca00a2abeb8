#include "tarry/data/text/table_records.h"

#include <algorithm>

namespace tarry::data {

bool TableRecords::next(std::vector<std::string_view>& cells) {
  if (json_) return json_->next(cells);
  const bool header = columns_ == 0;
  do {
    if (!csv_.next(cells)) return false;
    if (shape_.tidy) tidy(cells);
  } while (header ? csv_.place().line < shape_.header_line
                  : shape_.tidy && std::all_of(cells.begin(), cells.end(), [](auto cell) { return cell.empty(); }));
  if (header) columns_ = cells.size();
  return true;
}

void TableRecords::tidy(std::vector<std::string_view>& cells) const {
  for (std::string_view& cell : cells) cell = trimmed(cell);
  while (columns_ > 0 && cells.size() > columns_ && cells.back().empty()) cells.pop_back();
}

}  // namespace tarry::data
