#include "tarry/data/infer/number_tally.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/data/text/duration.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A look at each byte is much less than trying: words mostly begin with a letter, dates have signs after digits.
bool may_be_number(std::string_view cell) {
  constexpr std::size_t kFar = 6;  // US$12, (€3), CHF 4, -USD 5
  if (std::none_of(cell.begin(), cell.begin() + static_cast<std::ptrdiff_t>(std::min(cell.size(), kFar)), is_digit))
    return false;
  for (std::size_t i = 1; i < cell.size(); ++i)
    if ((cell[i] == '-' || cell[i] == ':' || cell[i] == '/') && is_digit(cell[i - 1]) &&
        !(cell[i] == '-' && i + 1 == cell.size()))  // 45- is less than nothing
      return false;
  return true;
}

bool plain_number(std::string_view cell, double& x) {
  const char c = cell.front();
  const bool may_begin = is_digit(c) || c == '-' || c == '+' || c == '.' || c == ' ' || c == '\t';
  return may_begin && read_number(cell, x) && std::isfinite(x);
}

// 1.234, which may be more than a thousand.
bool may_be_grouped(std::string_view cell) {
  const std::size_t first = cell.front() == '-' || cell.front() == '+' ? 1 : 0;
  const std::size_t dot = cell.find('.');
  return dot != std::string_view::npos && cell.size() - dot == 4 && dot > first && dot <= first + 3 &&
         cell[first] != '0' &&
         std::all_of(cell.begin() + static_cast<std::ptrdiff_t>(first), cell.begin() + static_cast<std::ptrdiff_t>(dot),
                     is_digit) &&
         std::all_of(cell.begin() + static_cast<std::ptrdiff_t>(dot) + 1, cell.end(), is_digit);
}

bool is_code(std::string_view cell) { return cell.size() > 1 && cell[0] == '0' && is_digit(cell[1]); }

bool same_word(std::string_view cell, std::string_view small) {
  return std::equal(cell.begin(), cell.end(), small.begin(), small.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

}  // namespace

bool says_nothing(std::string_view cell) {
  static constexpr std::array<std::string_view, 32> kWords = {
      "-",         "--",   "—",       "–",       ".",       "n/a",           "na",        "n.a.",
      "nan",       "nil",  "null",    "none",    "unknown", "missing",       "undefined", "tbd",
      "tba",       "#n/a", "#div/0!", "#value!", "#ref!",   "not available", "k.a.",      "k. a.",
      "unbekannt", "s/d",  "n/d",     "n.d.",    "n.c.",    "inconnu",       "brak",      "desconocido"};
  cell = trimmed(cell);
  constexpr std::string_view kFirst = "-.#nNuUmMtTkKsSiIbBdD\xE2";
  if (cell.empty() || cell.size() > 13 || kFirst.find(cell.front()) == std::string_view::npos) return false;
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return same_word(cell, word); });
}

void NumberTally::Habit::add(double x) {
  const bool first = cells++ == 0;
  least = first ? x : std::min(least, x);
  most = first ? x : std::max(most, x);
}

void NumberTally::Habit::add_odd(std::string_view cell, std::size_t line) {
  if (odd.size() == kOdd) return;
  if (std::none_of(odd.begin(), odd.end(), [&](const OddCell& one) { return one.text == cell; }))
    odd.push_back({line, std::string(cell)});
}

void NumberTally::add_unit(const std::string& name, std::string_view cell, std::size_t line) {
  const auto known = std::find_if(units_.begin(), units_.end(), [&](const Unit& unit) { return unit.name == name; });
  if (known != units_.end())
    ++known->cells;
  else if (units_.size() < 4)
    units_.push_back({name, 1, {line, std::string(cell)}});
}

bool NumberTally::add(std::string_view cell, std::size_t line) {
  double x = 0;
  const bool plain = plain_number(cell, x);
  if (plain && !is_code(cell)) {
    point_.add(x);
    if (may_be_grouped(cell)) {
      grouped_ = true;
      comma_.add(1000 * x);
    } else if (cell.find_first_of(".eE") == std::string_view::npos) {
      comma_.add(x);
    } else {
      comma_.add_odd(cell, line);
    }
    return true;
  }
  const LengthCell length = is_digit(cell.front()) || cell.front() == '-' ? read_length(cell, x) : LengthCell{};
  if (length.is_length) {
    lengths_.add(x);
    plainly_ += length.plainly ? 1 : 0;
  }
  NumberCell number;
  if (length.plainly) {
    point_.add_odd(cell, line);
    comma_.add_odd(cell, line);
    return true;
  }
  if (!may_be_number(cell) || !read_number_cell(cell, number)) {
    if (says_nothing(cell)) {
      ++nothing_cells_;
      const auto is_known = [&](const OddCell& one) { return one.text == cell; };
      const bool a_word =
          std::any_of(cell.begin(), cell.end(), [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; });
      if (a_word && nothing_.size() < kOdd && std::none_of(nothing_.begin(), nothing_.end(), is_known))
        nothing_.push_back({line, std::string(cell)});
      return false;
    }
    for (Habit* habit : {&point_, &comma_, &lengths_}) habit->add_odd(cell, line);
    return false;
  }
  plain_ = plain_ && plain;
  leading_zeros_ += number.leading_zero ? 1 : 0;
  minus_behind_ += number.minus_behind ? 1 : 0;
  limits_ += number.limit ? 1 : 0;
  if (number.limit && limit_.line == 0) limit_ = {line, std::string(cell)};
  grouped_ = grouped_ || number.grouped;
  if (!number.unit.empty()) add_unit(number.unit, cell, line);
  number.point ? point_.add(number.as_point) : point_.add_odd(cell, line);
  number.comma ? comma_.add(number.as_comma) : comma_.add_odd(cell, line);
  return true;
}

NumberTally::Decided NumberTally::decide_lengths() const {
  Decided decided;
  decided.style.plain = false;
  decided.style.length = true;
  decided.style.unit = "s";
  decided.cells = lengths_.cells;
  decided.nothing = nothing_cells_;
  decided.least = lengths_.least;
  decided.most = lengths_.most;
  decided.odd = lengths_.odd;
  return decided;
}

NumberTally::Decided NumberTally::decide(bool comma) const {
  if (plainly_ > 0 && lengths_.cells > std::max(point_.cells, comma_.cells)) return decide_lengths();
  const bool by_comma = needs_comma() || (comma && grouped_ && !needs_point());
  const Habit& habit = by_comma ? comma_ : point_;
  Decided decided;
  decided.style.plain = plain_ && !by_comma;
  decided.style.decimal = by_comma ? ',' : '.';
  decided.cells = habit.cells;
  decided.least = habit.least;
  decided.most = habit.most;
  decided.odd = habit.odd;
  decided.one_word = habit.odd.size() == 1 && (needs_comma() || needs_point() || !units_.empty());
  decided.codes = leading_zeros_ > 0 && plain_ && !by_comma;
  decided.nothing = nothing_cells_;
  // 1-, 2 and 3+ are marks at school, and no amounts.
  if (minus_behind_ > 0 && std::max(-habit.least, habit.most) < 10) decided.cells = 0;
  // Where many are limits, they are classes: <18, 18-65 and >65.
  decided.limit = limit_;
  if (3 * limits_ > habit.cells) decided.cells = 0;
  for (const OddCell& one : nothing_)
    if (decided.odd.size() < 2 * kOdd) decided.odd.push_back(one);
  if (units_.empty()) return decided;
  const auto most =
      std::max_element(units_.begin(), units_.end(), [](const Unit& a, const Unit& b) { return a.cells < b.cells; });
  decided.style.unit = most->name;
  for (const Unit& unit : units_) decided.units.push_back(unit.name);
  std::size_t others = 0;
  for (const Unit& unit : units_)
    if (&unit != &*most) {
      others += unit.cells;
      decided.odd.push_back(unit.first);
    }
  decided.cells -= std::min(others, decided.cells);
  return decided;
}

}  // namespace tarry::data
