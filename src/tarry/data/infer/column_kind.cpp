#include "tarry/data/infer/column_kind.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/time_units.h"
#include "tarry/data/text/word_list.h"

namespace tarry::data {
namespace {

// The cells of the sample that are given.
std::vector<std::string_view> sampled(const CsvProfile& profile, const ColumnProfile& column) {
  const auto index = static_cast<std::size_t>(&column - profile.columns.data());
  std::vector<std::string_view> cells;
  for (const auto& row : profile.sample)
    if (!means_missing(row[index])) cells.push_back(row[index]);
  return cells;
}

bool are_sets(const std::vector<std::string_view>& cells, char between) {
  std::size_t divided = 0, parts = 0, longest = 0;
  std::unordered_set<std::string> different;
  std::unordered_set<std::string_view> whole(cells.begin(), cells.end());
  for (const std::string_view cell : cells) {
    const std::vector<std::string> elements = elements_of(cell, between);
    divided += elements.size() > 1 ? 1 : 0;
    parts += elements.size();
    for (const std::string& element : elements) {
      longest = std::max(longest, words_of_text(element).size());
      different.insert(element);
    }
  }
  if (divided < 2 || 6 * divided < cells.size() || longest > 3) return false;
  return 5 * different.size() <= 3 * parts && (between == '|' || different.size() < whole.size());
}

// Many different cells, of three words and more.
bool are_texts(const std::vector<std::string_view>& cells) {
  constexpr std::size_t kFewest = 5;
  const std::unordered_set<std::string_view> different(cells.begin(), cells.end());
  std::size_t words = 0, spaced = 0;
  for (const std::string_view cell : cells) {
    words += words_of_text(cell).size();
    spaced += cell.find(' ') != std::string_view::npos ? 1 : 0;
  }
  return cells.size() >= kFewest && 2 * different.size() > cells.size() && 2 * spaced > cells.size() &&
         words >= 3 * cells.size();
}

}  // namespace

const char* ColumnKind::name() const {
  static constexpr std::array<const char*, 6> kNames = {"empty", "time", "number", "words", "text", "set"};
  return kNames[static_cast<std::size_t>(kind)];
}

ColumnKind kind_of(const CsvProfile& profile, const ColumnProfile& column) {
  if (column.empty()) return {Kind::kEmpty};
  if (column.mostly_dates()) return {Kind::kTime};
  if (column.nearly_numbers()) return {column.codes ? Kind::kWords : Kind::kNumber};
  const std::vector<std::string_view> cells = sampled(profile, column);
  for (const char between : {'|', ';', ','})
    if (are_sets(cells, between)) return {Kind::kSet, between};
  return {are_texts(cells) ? Kind::kText : Kind::kWords};
}

}  // namespace tarry::data
