#include "tarry/data/formats/relatives_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/text/csv_records.h"

namespace tarry::data {
namespace {

bool is_number(std::string_view cell) {
  double ignored = 0;
  return read_number(cell, ignored);
}

}  // namespace

Dataset read_relatives(TextLines& lines) {
  CsvRecords records(lines);
  DatasetBuilder builder;
  std::vector<std::string_view> cells;
  std::vector<std::string> names;  // of the columns, for messages
  while (records.next(cells)) {
    const Place& place = records.place();
    if (names.empty()) {
      const bool header = std::none_of(cells.begin(), cells.end(), is_number);
      for (std::size_t i = 0; i < cells.size(); ++i)
        names.push_back(header ? fmt::format("{}", cells[i]) : fmt::format("column {}", i + 1));
      if (header) continue;
    }
    if (cells.size() != names.size())
      place.fail(fmt::format("has {} cells, but the first line has {}", cells.size(), names.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double relative = place.number(names[i], cells[i]);
      if (!(relative > 0)) place.fail_cell(names[i], "positive", cells[i]);
      builder.add(static_cast<Index>(i), relative);
    }
    builder.end_row(0);
  }
  if (names.empty()) lines.fail_whole("is empty");
  if (builder.rows() == 0) lines.fail_whole("has no rows after its header");
  return builder.take(static_cast<Index>(names.size()));
}

}  // namespace tarry::data
