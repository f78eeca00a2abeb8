#include "tarry/data/text/table_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tarry::data {
namespace {

// ="00001", as spreadsheets keep the zeros.
std::string_view without_formula(std::string_view cell) {
  return cell.size() >= 3 && cell.starts_with("=\"") && cell.ends_with('"') ? cell.substr(2, cell.size() - 3) : cell;
}

std::size_t given_in(const std::vector<std::string_view>& cells) {
  return static_cast<std::size_t>(std::count_if(cells.begin(), cells.end(), [](auto cell) { return !cell.empty(); }));
}

bool says_sum(std::string_view cell) {
  static constexpr std::array<std::string_view, 14> kSums = {
      "total",  "totals",      "sum",     "subtotal", "sub-total", "grand total", "summe",
      "gesamt", "gesamtsumme", "average", "total:",   "count",     "suma",        "somme"};
  constexpr std::size_t kLongest = 11;  // grand total
  if (cell.size() > kLongest || (cell.front() >= '0' && cell.front() <= '9')) return false;
  const auto same = [&](std::string_view word) {
    return std::equal(cell.begin(), cell.end(), word.begin(), word.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  };
  return std::any_of(kSums.begin(), kSums.end(), same);
}

// "* preliminary figures", "Source: our own books": no date, name or number.
bool is_remark(std::string_view cell) {
  const auto letter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return cell.find(' ') != std::string_view::npos && std::any_of(cell.begin(), cell.end(), letter) &&
         !digit(cell.front()) && (cell.front() == '*' || std::count(cell.begin(), cell.end(), ' ') > 1);
}

}  // namespace

bool TableRecords::next(std::vector<std::string_view>& cells) {
  if (json_) return json_->next(cells);
  const bool header = columns_ == 0;
  do {
    if (!csv_.next(cells)) return false;
    if (shape_.tidy) tidy(cells);
  } while (header ? csv_.place().line < shape_.header_line : shape_.tidy && is_no_row(cells));
  if (header) columns_ = cells.size();
  return header || !shape_.tidy || cells.size() >= columns_ || skip_below(cells);
}

void TableRecords::tidy(std::vector<std::string_view>& cells) const {
  for (std::string_view& cell : cells) cell = without_formula(trimmed(cell));
  while (columns_ > 0 && cells.size() > columns_ && cells.back().empty()) cells.pop_back();
}

// Nothing but separators; or begins with a word for sums, and gives at most half of its cells; or says one thing only,
// in the first cell, as spreadsheets write what is below a table.
bool TableRecords::is_no_row(const std::vector<std::string_view>& cells) {
  const auto first = std::find_if(cells.begin(), cells.end(), [](auto cell) { return !cell.empty(); });
  if (first == cells.end()) return true;
  const bool remark = columns_ > 2 && cells.size() == columns_ && first == cells.begin() && cells[1].empty() &&
                      given_in(cells) == 1 && is_remark(*first);
  if (!remark && (!says_sum(*first) || 2 * given_in(cells) > std::max<std::size_t>(columns_, 2))) return false;
  footers_.push_back({csv_.place().line, std::string(*first)});
  return true;
}

// A line that is too short is no row where nothing but such lines follows: "Exported on 8 May". Otherwise it is a
// mistake, and stays.
bool TableRecords::skip_below(std::vector<std::string_view>& cells) {
  if (columns_ < 3 || given_in(cells) > 1) return true;
  const Place first = csv_.place();
  const std::size_t width = cells.size();
  std::vector<Footer> below;
  do {
    const auto given = std::find_if(cells.begin(), cells.end(), [](auto cell) { return !cell.empty(); });
    below.push_back({csv_.place().line, given == cells.end() ? std::string() : std::string(*given)});
    if (!csv_.next(cells)) {
      footers_.insert(footers_.end(), below.begin(), below.end());
      return false;
    }
    tidy(cells);
  } while (cells.size() < columns_ && given_in(cells) <= 1);
  first.fail(fmt::format("has {} cell{}, but the header has {}", width, width == 1 ? "" : "s", columns_));
}

}  // namespace tarry::data
