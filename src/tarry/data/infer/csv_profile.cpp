#include "tarry/data/infer/csv_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/formats/feature_hash.h"
#include "tarry/data/text/csv_records.h"
#include "tarry/data/text/written_date.h"

namespace tarry::data {
namespace {

class Profiler {
 public:
  explicit Profiler(ColumnProfile& column) : column_(&column) {}

  void add(std::string_view cell, std::size_t line) {
    if (means_missing(cell)) return;
    ++column_->given;
    double x = 0;
    const bool number = may_begin_number(cell) && read_number(cell, x) && std::isfinite(x);
    if (number)
      add_number(x);
    else
      note(column_->not_number, cell, line);
    if (!number && is_date(cell, line))
      ++column_->date_cells;
    else
      note(column_->not_date, cell, line);
    const bool full = column_->values.size() == ColumnProfile::kValues;
    if (full && column_->repeats) return;
    const std::uint64_t hash = fnv1a(cell);
    if (!full) keep_value(cell, hash);
    if (column_->repeats) return;
    // Kept until a cell repeats; of numbers and dates, of which nobody asks, only some: they may still turn into words.
    if ((column_->numbers() || column_->dates()) && seen_.size() >= kFew) seen_.clear();
    column_->repeats = !seen_.insert(hash).second;
    if (column_->repeats) seen_ = {};
  }

 private:
  static constexpr std::size_t kFew = 1024;
  static constexpr std::size_t kSlots = 256;  // more than twice the values

  // Numbers are tried for often, and words mostly begin with a letter.
  static bool may_begin_number(std::string_view cell) {
    const char c = cell.front();
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == ' ' || c == '\t';
  }

  static void note(OddCell& odd, std::string_view cell, std::size_t line) {
    if (odd.line == 0) odd = {line, std::string(cell)};
  }

  void add_number(double x) {
    const bool first = column_->number_cells++ == 0;
    column_->least = first ? x : std::min(column_->least, x);
    column_->most = first ? x : std::max(column_->most, x);
  }

  bool is_date(std::string_view cell, std::size_t line) {
    if (!may_begin_number(cell)) return false;
    double seconds = 0;
    if (read_date(cell, DateOrder::kNone, seconds)) return true;
    WrittenDate date;
    if (!read_written_date(cell, date)) return false;
    column_->written = true;
    if (date.first > 12) note(column_->day_first, cell, line);
    if (date.second > 12) note(column_->month_first, cell, line);
    return true;
  }

  void keep_value(std::string_view cell, std::uint64_t hash) {
    auto& values = column_->values;
    std::size_t slot = hash % kSlots;
    for (; places_[slot] != 0; slot = (slot + 1) % kSlots)
      if (values[places_[slot] - 1u] == cell) return;
    values.emplace_back(cell);
    places_[slot] = static_cast<std::uint8_t>(values.size());
  }

  ColumnProfile* column_;
  std::array<std::uint8_t, kSlots> places_{};  // of the values, by their hashes
  std::unordered_set<std::uint64_t> seen_;
};

// The first rows are kept as they are, a bounded number of cells.
class Sample {
 public:
  explicit Sample(std::size_t columns) : rows_(std::clamp<std::size_t>(kCells / columns, 5, kRows)) {}

  void add(const std::vector<std::string_view>& cells, std::vector<std::vector<std::string>>& sample) const {
    if (sample.size() < rows_) sample.emplace_back(cells.begin(), cells.end());
  }

 private:
  static constexpr std::size_t kCells = 20000, kRows = 500;
  std::size_t rows_;
};

std::vector<std::string_view> header_of(CsvRecords& records, TextLines& lines) {
  std::vector<std::string_view> cells;
  if (!records.next(cells)) lines.fail_whole("is empty (wanted a header line)");
  return cells;
}

}  // namespace

CsvProfile profile_csv(TextLines& lines, char delimiter) {
  CsvRecords records(lines, delimiter);
  CsvProfile profile;
  std::vector<std::string_view> cells = header_of(records, lines);
  for (const std::string_view name : cells) profile.columns.push_back({.name = std::string(name)});
  std::vector<Profiler> profilers(profile.columns.begin(), profile.columns.end());
  const Sample sample(cells.size());
  while (records.next(cells)) {
    refuse_width(cells.size(), profilers.size(), records.place());
    const std::size_t line = records.place().line;
    for (std::size_t i = 0; i < cells.size(); ++i) profilers[i].add(cells[i], line);
    sample.add(cells, profile.sample);
    ++profile.rows;
  }
  if (profile.rows == 0) lines.fail_whole("has no rows after its header");
  return profile;
}

ColumnProfile profile_where_given(TextLines& lines, char delimiter, std::size_t column, std::size_t where) {
  CsvRecords records(lines, delimiter);
  std::vector<std::string_view> cells = header_of(records, lines);
  ColumnProfile profile{.name = std::string(cells[column])};
  Profiler profiler(profile);
  const std::size_t columns = cells.size();
  while (records.next(cells)) {
    refuse_width(cells.size(), columns, records.place());
    if (!means_missing(cells[where])) profiler.add(cells[column], records.place().line);
  }
  return profile;
}

}  // namespace tarry::data
