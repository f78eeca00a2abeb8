#include "tarry/data/infer/csv_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "tarry/data/formats/csv_header.h"
#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/formats/feature_hash.h"
#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/time_units.h"
#include "tarry/data/text/record_batch.h"
#include "tarry/data/text/table_records.h"
#include "tarry/data/text/written_date.h"
#include "tarry/linalg/parallel.h"

namespace tarry::data {
namespace {

class Profiler {
 public:
  explicit Profiler(ColumnProfile& column) : column_(&column), may_be_never_(time_name(column.name).feedback > 0) {}

  void add(std::string_view cell, std::size_t line) {
    if (means_missing(cell)) return;
    ++column_->given;
    const bool number = numbers_.add(cell, line);
    if (number)
      add_number(cell);
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
    // Kept until a cell repeats; of numbers and dates, which nobody asks for, only some: they may still turn into
    // words.
    if ((column_->numbers() || column_->dates()) && seen_.size() >= kFew) seen_.clear();
    column_->repeats = !seen_.insert(hash).second;
    if (column_->repeats) seen_ = {};
  }

  const NumberTally& numbers() const { return numbers_; }

  // `comma`: decimals follow commas in other columns.
  void decide(bool comma) {
    ColumnProfile& column = *column_;
    drop_versions();
    const TimeName name = compact_ > 0 ? time_name(column.name) : TimeName{};
    if (compact_ > 0 && compact_ == column.given &&
        (name.time || (column.has_time && (name.event > 0 || name.feedback > 0) && !is_id_name(column.name)))) {
      column.compact = true;
      column.date_cells = std::exchange(column.number_cells, 0);
      column.not_date = {};
      column.not_number = {1, column.values.front()};
      return;
    }
    NumberTally::Decided decided = numbers_.decide(comma);
    column.number_cells = decided.cells;
    column.nothing_cells = decided.nothing;
    column.style = decided.style;
    column.least = decided.least;
    column.most = decided.most;
    column.codes = decided.codes;
    column.one_word = decided.one_word;
    column.limit = std::move(decided.limit);
    column.units = std::move(decided.units);
    column.odd = std::move(decided.odd);
    column.not_number = column.odd.empty() ? OddCell{} : column.odd.front();
    drop_never();
  }

 private:
  static constexpr double kFirstTime = 631152000;  // 1990-01-01

  // 1.2.10 and 1.12.31 are versions of a program, unless they all lie within a few years.
  void drop_versions() {
    constexpr int kYears = 15;
    if (like_version_ == 0 || !(has_word_of_versions(column_->name) || last_year_ - first_year_ > kYears)) return;
    const TimeName name = time_name(column_->name);
    if (name.time || name.event > 0 || name.feedback > 0) return;
    column_->date_cells = 0;
    column_->written = false;
  }

  // Where all other times are of our days, one that is 0 says that there is none.
  void drop_never() {
    ColumnProfile& column = *column_;
    const bool dates = column.mostly_dates();
    if (zeros_ == 0 || zeros_ == column.given) return;
    if (dates ? least_ < kFirstTime : !column.numbers() || !column.style.plain || epoch_unit(least_, column.most) == 0)
      return;
    column.never = zeros_;
    column.given -= zeros_;
    (dates ? column.date_cells : column.number_cells) -= zeros_;
    if (!dates) column.least = least_;
    std::erase_if(column.values, [&](const std::string& value) { return column.lacks(value); });
  }

  // The least of what is not 0, and how many are.
  void add_time(double x) {
    if (!may_be_never_) return;
    if (x == 0) {
      ++zeros_;
      return;
    }
    least_ = std::min(least_, x);
  }

  static constexpr std::size_t kFew = 1024;
  static constexpr std::size_t kSlots = 256;  // more than twice the values

  static void note(OddCell& odd, std::string_view cell, std::size_t line) {
    if (odd.line == 0) odd = {line, std::string(cell)};
  }

  void add_number(std::string_view cell) {
    ++column_->number_cells;
    TimeCell time;
    const bool whole = cell.size() == 8 || cell.size() == 12 || cell.size() == 14;
    if (whole && compact_ + 1 == column_->given && read_compact_date(cell, time)) {
      ++compact_;
      if (compact_ == column_->given) column_->has_time = column_->has_time || time.has_time;
    }
    if (double x = 0; may_be_never_ && read_number(cell, x)) add_time(x);
  }

  // Dates begin with a digit, or with the name of a day or a month.
  static bool may_be_date(std::string_view cell) {
    if (cell.size() < 6 || cell.size() > 80) return false;
    return std::any_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  bool is_date(std::string_view cell, std::size_t line) {
    if (!may_be_date(cell)) return false;
    TimeCell time;
    if (!read_time_cell(cell, DateOrder::kNone, time)) {
      WrittenDate date;
      if (!read_written_date(cell, date)) return false;
      column_->written = true;
      column_->dotted = column_->dotted && date.dotted;
      if (date.first > 12) note(column_->day_first, cell, line);
      if (date.second > 12) note(column_->month_first, cell, line);
      if (date.like_version) {
        ++like_version_;
        first_year_ = std::min(first_year_, date.year);
        last_year_ = std::max(last_year_, date.year);
      }
      time = date.time;
      day_of(date.year, 1, 1, time.seconds);  // near enough
      if (date.year == 1970 && date.first == 1 && date.second == 1) time.seconds = date.time.seconds;
    }
    column_->has_time = column_->has_time || time.has_time;
    column_->zoned = column_->zoned || time.zoned;
    add_time(time.seconds);
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
  bool may_be_never_;  // by its name: a label may never come
  NumberTally numbers_;
  std::size_t like_version_ = 0;
  int first_year_ = 9999, last_year_ = 0;  // of these
  std::size_t zeros_ = 0;
  double least_ = std::numeric_limits<double>::infinity();  // of the times that are not 0
  std::size_t compact_ = 0;                                 // cells like 20240131, as long as all are
  std::array<std::uint8_t, kSlots> places_{};               // of the values, by their hashes
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

// Columns have nothing to do with one another: each goes through the records in their order, on any thread.
void profile_columns(std::vector<Profiler>& profilers, const RecordBatch& batch) {
  constexpr std::size_t kFewRecords = 256;  // not worth waking anybody
  const auto all = static_cast<Index>(profilers.size());
  const Index each = batch.size() < kFewRecords ? all : 1;
  parallel_chunks(all, each, [&](Index, Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      for (std::size_t record = 0; record < batch.size(); ++record)
        profilers[i].add(batch.cell(record, i), batch.line(record));
  });
}

std::vector<std::string_view> header_of(TableRecords& records, TextLines& lines) {
  std::vector<std::string_view> cells;
  if (!records.next(cells)) lines.fail_whole("is empty (wanted a header line)");
  return cells;
}

bool is_zero_time(std::string_view cell) {
  double x = 0;
  TimeCell time;
  return read_number(cell, x) ? x == 0 : read_time_cell(cell, DateOrder::kDayFirst, time) && time.seconds == 0;
}

}  // namespace

bool ColumnProfile::lacks(std::string_view cell) const {
  return means_missing(cell) || (never > 0 && is_zero_time(cell));
}

bool ColumnProfile::nearly_numbers() const {
  if (numbers()) return true;
  const std::size_t said = given - nothing_cells, bad = said - number_cells;
  const std::size_t few = one_word && values.size() > kFewNumbers ? said / 3 : std::max<std::size_t>(1, said / 20);
  return number_cells >= 4 && bad <= few;
}

CsvProfile profile_csv(TextLines& lines, char delimiter) {
  return profile_csv(lines, TableShape{.delimiter = delimiter});
}

CsvProfile profile_csv(TextLines& lines, const TableShape& shape) {
  TableRecords records(lines, shape);
  CsvProfile profile;
  std::vector<std::string_view> cells = header_of(records, lines);
  profile.header_line = records.place().line;
  for (std::string& name : column_names(cells)) profile.columns.push_back({.name = std::move(name)});
  std::vector<Profiler> profilers(profile.columns.begin(), profile.columns.end());
  const Sample sample(cells.size());
  constexpr std::size_t kRecords = 2048, kBytes = std::size_t{1} << 18;  // of a batch: about what a cache holds
  RecordBatch batch(cells.size());
  while (records.next(cells)) {
    refuse_width(cells.size(), profilers.size(), records.place());
    batch.add(cells, records.place().line);
    sample.add(cells, profile.sample);
    ++profile.rows;
    if (batch.size() < kRecords && batch.bytes() < kBytes) continue;
    profile_columns(profilers, batch);
    batch.clear();
  }
  profile_columns(profilers, batch);
  profile.footers = records.footers();
  if (profile.rows == 0) lines.fail_whole("has no rows after its header");
  // One column that shows it decides for those that do not.
  std::size_t points = 0, commas = 0;
  for (std::size_t i = 0; i < profilers.size(); ++i) {
    const ColumnProfile& column = profile.columns[i];
    if (2 * column.number_cells < column.given) continue;
    points += profilers[i].numbers().needs_point() ? 1 : 0;
    commas += profilers[i].numbers().needs_comma() ? 1 : 0;
  }
  profile.commas = commas > points || (commas == points && shape.delimiter == ';');
  for (Profiler& profiler : profilers) profiler.decide(profile.commas);
  return profile;
}

ColumnProfile profile_where_given(TextLines& lines, const TableShape& shape, std::size_t column, std::size_t where,
                                  const ColumnProfile& given) {
  TableRecords records(lines, shape);
  std::vector<std::string_view> cells = header_of(records, lines);
  ColumnProfile profile{.name = std::string(cells[column])};
  Profiler profiler(profile);
  const std::size_t columns = cells.size();
  while (records.next(cells)) {
    refuse_width(cells.size(), columns, records.place());
    if (!given.lacks(cells[where])) profiler.add(cells[column], records.place().line);
  }
  profiler.decide(false);
  return profile;
}

}  // namespace tarry::data
