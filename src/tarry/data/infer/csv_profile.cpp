#include "tarry/data/infer/csv_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/formats/feature_hash.h"
#include "tarry/data/text/csv_records.h"
#include "tarry/data/text/iso_time.h"

namespace tarry::lab {
namespace {

class Profiler {
 public:
  explicit Profiler(ColumnProfile& column) : column_(&column) {}

  void add(std::string_view cell) {
    if (means_missing(cell)) return;
    ++column_->given;
    double x = 0;
    column_->numbers = column_->numbers && read_number(cell, x) && std::isfinite(x);
    column_->dates = column_->dates && read_iso_time(cell, x);
    auto& values = column_->values;
    if (values.size() < ColumnProfile::kValues && std::find(values.begin(), values.end(), cell) == values.end())
      values.emplace_back(cell);
    if (column_->repeats) return;
    // Kept until a cell repeats; of numbers and dates, of which nobody asks, only some: they may still turn into words.
    if ((column_->numbers || column_->dates) && seen_.size() >= kFew) seen_.clear();
    column_->repeats = !seen_.insert(fnv1a(cell)).second;
    if (column_->repeats) seen_ = {};
  }

 private:
  static constexpr std::size_t kFew = 1024;

  ColumnProfile* column_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

CsvProfile profile_csv(TextLines& lines, char delimiter) {
  CsvRecords records(lines, delimiter);
  std::vector<std::string_view> cells;
  CsvProfile profile;
  if (!records.next(cells)) lines.fail_whole("is empty (wanted a header line)");
  for (const std::string_view name : cells) profile.columns.push_back({.name = std::string(name), .values = {}});
  std::vector<Profiler> profilers(profile.columns.begin(), profile.columns.end());
  while (records.next(cells)) {
    refuse_width(cells.size(), profilers.size(), records.place());
    for (std::size_t i = 0; i < cells.size(); ++i) profilers[i].add(cells[i]);
    ++profile.rows;
  }
  if (profile.rows == 0) lines.fail_whole("has no rows after its header");
  return profile;
}

}  // namespace tarry::lab
