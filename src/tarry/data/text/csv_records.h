// Records of comma-separated text (RFC 4180): cells in quotes may hold the delimiter, doubled quotes and line ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {

class CsvRecords {
 public:
  explicit CsvRecords(TextLines& lines, char delimiter = ',') : lines_(&lines), delimiter_(delimiter) {}

  // The cells of the next record; they stay valid until the next call. Blank lines are skipped.
  bool next(std::vector<std::string_view>& cells);
  const Place& place() const { return place_; }  // the record's first line

 private:
  bool split(std::string_view line, std::vector<std::string_view>& cells) const;
  void join_lines(std::string_view first);
  void split_quoted(std::vector<std::string_view>& cells);

  TextLines* lines_;
  char delimiter_;
  Place place_{};
  std::string record_;    // a record with quotes, with all its lines
  std::string unquoted_;  // its cells, one after another
};

}  // namespace tarry::data
