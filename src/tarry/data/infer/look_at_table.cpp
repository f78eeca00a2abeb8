#include "tarry/data/infer/look_at_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"

namespace tarry::data {
namespace {

bool looks_like_data(const std::string& cell) {
  double number = 0;
  NumberCell written;
  WrittenDate date;
  return read_number(cell, number) || read_date(cell, DateOrder::kDayFirst, number) || read_written_date(cell, date) ||
         (read_number_cell(cell, written) && !written.unit.empty());
}

// The first line of a table without a header is a row: numbers and dates above numbers and dates, or words that come
// again below.
void refuse_without_header(const std::string& file, const CsvProfile& profile) {
  std::size_t data = 0, again = 0, named = 0;
  std::string example;
  for (const ColumnProfile& column : profile.columns) {
    if (column.name.empty()) continue;
    ++named;
    const bool is_data = looks_like_data(column.name) && (column.mostly_times() || column.nearly_numbers());
    data += is_data ? 1 : 0;
    again += std::find(column.values.begin(), column.values.end(), column.name) != column.values.end() ? 1 : 0;
    if (is_data && example.empty()) example = column.name;
  }
  const bool dated = std::any_of(profile.columns.begin(), profile.columns.end(), [](const ColumnProfile& column) {
    double seconds = 0;
    return column.mostly_dates() && read_date(column.name, DateOrder::kDayFirst, seconds);
  });
  if (named == 0 || !(dated || 2 * data > named || (data > 0 && again > 0))) return;
  throw Error(
      Code::kBadInput,
      fmt::format("{}: line {} must name the columns, but looks like a row ({}): add a first line with a name for "
                  "each column",
                  file, profile.header_line, quoted(example.empty() ? profile.columns[0].name : example)));
}

}  // namespace

LateLabels look_at_table(const std::string& file, const OpenLines& open, const LateLabelsKeys& keys,
                         std::optional<char> delimiter) {
  const TableShape shape = find_shape(open, delimiter);
  TextLines lines = open();
  const CsvProfile profile = profile_csv(lines, shape);
  if (!shape.json) refuse_without_header(file, profile);
  const auto where_given = [&](std::size_t column, std::size_t where) {
    TextLines again = open();
    return profile_where_given(again, shape, column, where, profile.columns[where]);
  };
  LateLabels found = look_for_late_labels(file, profile, keys, where_given);
  found.options.shape = shape;
  found.options.delimiter = shape.delimiter;
  Reading& reading = found.reading;
  reading.encoding = lines.encoding();
  reading.delimiter = shape.delimiter;
  if (shape.json) reading.format = "json lines";
  if (shape.header_line > 1)
    found.read_as.push_back(
        fmt::format("the columns are named in line {}: what is above is taken for a title", shape.header_line));
  if (!profile.footers.empty())
    found.read_as.push_back(fmt::format(
        "line {} ({}) is no row{}", profile.footers[0].line, quoted(profile.footers[0].text),
        profile.footers.size() > 1 ? fmt::format(", and neither {} {} more", profile.footers.size() > 2 ? "are" : "is",
                                                 profile.footers.size() - 1)
                                   : ""));
  if (reading.encoding != "utf-8") found.read_as.push_back(fmt::format("the text is {}", reading.encoding));
  return found;
}

}  // namespace tarry::data
