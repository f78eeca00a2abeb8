// The rows of a table of any shape, cell by cell: first the names of its columns, then the rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/data/text/csv_records.h"
#include "tarry/data/text/json_rows.h"
#include "tarry/data/text/table_shape.h"

namespace tarry::data {

class TableRecords {
 public:
  TableRecords(TextLines& lines, const TableShape& shape) : shape_(shape), csv_(lines, shape.delimiter) {
    if (shape.json) json_.emplace(lines, shape.names);
  }

  // The cells stay valid until the next call.
  bool next(std::vector<std::string_view>& cells);
  const Place& place() const { return json_ ? json_->place() : csv_.place(); }
  // Lines that are no rows: sums, and what a program says below its table.
  struct Footer {
    std::size_t line;
    std::string text;
  };
  const std::vector<Footer>& footers() const { return footers_; }

 private:
  void tidy(std::vector<std::string_view>& cells) const;
  bool is_no_row(const std::vector<std::string_view>& cells);
  bool skip_below(std::vector<std::string_view>& cells);

  const TableShape& shape_;
  CsvRecords csv_;
  std::optional<JsonRows> json_;
  std::size_t columns_ = 0;  // 0: the header is still to come
  std::vector<Footer> footers_;
};

}  // namespace tarry::data
