#include "tarry/data/text/number_cell.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "tarry/data/text/duration.h"
#include "tarry/data/text/text_lines.h"
#include "tarry/spec/node.h"

namespace tarry::data {
namespace {

constexpr std::size_t kLongest = 64;  // bytes of a cell that may be a number

struct Spelling {
  std::string_view written, meant;
};
// Spaces that do not break, the minus sign, and the apostrophe that typesetters use.
constexpr std::array<Spelling, 6> kSpellings = {{{"\xC2\xA0", " "},
                                                 {"\xE2\x80\xAF", " "},
                                                 {"\xE2\x80\x89", " "},
                                                 {"\xE2\x88\x92", "-"},
                                                 {"\xE2\x80\x99", "'"},
                                                 {"\xE2\x80\x93", "-"}}};
constexpr std::array<std::string_view, 18> kSigns = {"$",  "€",  "£",  "¥",   "₹",  "₽",  "₩",  "₺",   "zł",
                                                     "kr", "R$", "Kč", "US$", "A$", "C$", "Rs", "Rs.", "руб."};
constexpr std::array<std::string_view, 24> kCodes = {"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "SEK",
                                                     "NOK", "DKK", "PLN", "CZK", "HUF", "AUD", "CAD", "NZD",
                                                     "BRL", "MXN", "ZAR", "RUB", "TRY", "KRW", "SGD", "HKD"};
// What may follow a number without a space between; with one, any short word may.
constexpr std::array<std::string_view, 27> kAttached = {"%",  "‰",   "kg", "g",  "mg", "t",  "lb", "lbs", "oz",
                                                        "km", "m",   "cm", "mm", "mi", "ft", "in", "l",   "ml",
                                                        "h",  "min", "s",  "ms", "°C", "°F", "°",  "GB",  "MB"};

template <class List>
bool has(const List& list, std::string_view one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

std::string respelt(std::string_view cell) {
  std::string text;
  for (std::size_t at = 0; at < cell.size();) {
    const auto* found = std::find_if(kSpellings.begin(), kSpellings.end(),
                                     [&](const Spelling& one) { return cell.substr(at).starts_with(one.written); });
    if (found == kSpellings.end()) {
      text += cell[at++];
      continue;
    }
    text += found->meant;
    at += found->written.size();
  }
  return std::string(trimmed(text));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits in groups of three; in India of two, except the last.
bool are_groups(std::string_view whole, char between) {
  std::size_t at = whole.find(between);
  if (at == 0 || at > 3 || (at == 1 && whole[0] == '0')) return false;
  while (true) {
    const std::size_t next = std::min(whole.find(between, at + 1), whole.size());
    const std::size_t length = next - at - 1;
    if (next == whole.size()) return length == 3;
    if (length != 3 && !(length == 2 && between == ',')) return false;
    at = next;
  }
}

// The number in `body`, whose decimals follow `decimal` and whose thousands are divided by `group`, ' or spaces.
bool read_body(std::string_view body, char decimal, char group, std::string_view exponent, double& number) {
  const std::size_t dot = body.find(decimal);
  const std::string_view whole = body.substr(0, dot);
  const std::string_view fraction = dot == std::string_view::npos ? std::string_view() : body.substr(dot + 1);
  if (!std::all_of(fraction.begin(), fraction.end(), is_digit)) return false;
  char between = 0;
  for (const char c : whole) {
    if (is_digit(c)) continue;
    if ((c != group && c != '\'' && c != ' ') || (between != 0 && between != c)) return false;
    between = c;
  }
  if (between != 0 && !are_groups(whole, between)) return false;
  std::string digits;
  for (const char c : whole)
    if (is_digit(c)) digits += c;
  if (digits.empty() && fraction.empty()) return false;
  if (digits.empty()) digits = "0";
  if (!fraction.empty()) digits.append(".").append(fraction);
  digits += exponent;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && stop == digits.data() + digits.size() && std::isfinite(number);
}

// A sign or code of money at the front, which is taken off.
std::string unit_before(std::string_view& text) {
  std::string_view best;
  for (const std::string_view one : kSigns)
    if (text.starts_with(one) && one.size() > best.size()) best = one;
  for (const std::string_view one : kCodes)
    if (text.starts_with(one)) best = one;
  text = trimmed(text.substr(best.size()));
  return std::string(best);
}

bool is_unit(std::string_view text) {
  if (text.size() > 2 && text.ends_with('.')) text.remove_suffix(1);  // an abbreviation: руб., pcs.
  if (text.empty() || text.size() > 12) return false;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80 || c == '%' ||
           c == '$' || c == '/' || c == '"';
  };
  return std::all_of(text.begin(), text.end(), fits);
}

// 1.2k and 3M: what the letter multiplies by, which is taken off; 1 where there is none.
double multiplier(std::string_view& text) {
  if (text.empty() || (text.size() > 1 && text[1] != ' ')) return 1;
  const double times = text[0] == 'k' || text[0] == 'K' ? 1e3 : text[0] == 'M' ? 1e6 : text[0] == 'B' ? 1e9 : 1;
  if (times != 1) text = trimmed(text.substr(1));
  return times;
}

class NumberTaking {
 public:
  explicit NumberTaking(std::string text) : text_(std::move(text)), rest_(text_) {}

  bool read(NumberCell& number) {
    bool negative = false;
    number.limit = take_limit();
    if (rest_.starts_with('(') && rest_.ends_with(')')) {
      negative = true;
      rest_ = trimmed(rest_.substr(1, rest_.size() - 2));
    }
    negative = sign() || negative;
    const std::string before = unit_before(rest_);
    if (!before.empty()) negative = sign() || negative;
    const std::string_view body = take_body(), exponent = take_exponent();
    if (body.empty()) return false;
    if (rest_.starts_with('-') && !negative) {  // 45-, as accounts have it
      negative = number.minus_behind = true;
      rest_.remove_prefix(1);
    }
    double times = 1;
    std::string unit = before;
    if (!rest_.empty()) {
      const bool spaced = rest_.front() == ' ';
      if (!spaced) times = multiplier(rest_);
      const std::string_view after = trimmed(rest_);
      if (!after.empty()) {
        if (!is_unit(after) || (!spaced && times == 1 && !has(kAttached, after) && !is_money(after))) return false;
        unit += after;
      }
    }
    times = negative ? -times : times;
    number.point = read_body(body, '.', ',', exponent, number.as_point);
    number.comma = read_body(body, ',', '.', exponent, number.as_comma);
    number.as_point *= times;
    number.as_comma *= times;
    number.point = number.point && std::fabs(number.as_point) <= spec::kLargest;
    number.comma = number.comma && std::fabs(number.as_comma) <= spec::kLargest;
    number.unit = std::move(unit);
    number.leading_zero = body.size() > 1 && body[0] == '0' && is_digit(body[1]);
    number.grouped = body.find_first_of(".,") != std::string_view::npos;
    return number.point || number.comma;
  }

 private:
  bool sign() {
    const bool minus = rest_.starts_with('-');
    if (minus || rest_.starts_with('+')) rest_ = trimmed(rest_.substr(1));
    return minus;
  }

  bool take_limit() {
    for (const std::string_view mark : {"<=", ">=", "<", ">", "≤", "≥"})
      if (rest_.starts_with(mark)) {
        rest_ = trimmed(rest_.substr(mark.size()));
        return true;
      }
    return false;
  }

  // Digits, points, commas, apostrophes, and spaces between digits.
  std::string_view take_body() {
    std::size_t end = 0;
    for (std::size_t at = 0; at < rest_.size(); ++at) {
      const char c = rest_[at];
      if (is_digit(c))
        end = at + 1;
      else if (c != '.' && c != ',' && !(c == '\'' && end > 0) && !(c == ' ' && end == at && end > 0))
        break;
    }
    const std::string_view body = rest_.substr(0, end);
    rest_ = rest_.substr(end);
    return body;
  }

  std::string_view take_exponent() {
    if (rest_.size() < 2 || (rest_[0] != 'e' && rest_[0] != 'E')) return {};
    const std::size_t sign = rest_[1] == '-' || rest_[1] == '+' ? 1 : 0;
    std::size_t end = 1 + sign;
    while (end < rest_.size() && is_digit(rest_[end])) ++end;
    if (end == 1 + sign) return {};
    const std::string_view exponent = rest_.substr(0, end);
    rest_ = rest_.substr(end);
    return exponent;
  }

  std::string text_;
  std::string_view rest_;
};

}  // namespace

bool is_money(std::string_view unit) { return has(kSigns, unit) || has(kCodes, unit); }

bool read_number_cell(std::string_view cell, NumberCell& number) {
  if (cell.empty() || cell.size() > kLongest) return false;
  return NumberTaking(respelt(cell)).read(number);
}

bool read_styled(std::string_view cell, const NumberStyle& style, double& number) {
  if (style.length) return read_length(cell, number).is_length;
  if (style.plain) return read_number(cell, number) && std::isfinite(number);
  NumberCell read;
  if (!read_number_cell(cell, read) || (!read.unit.empty() && read.unit != style.unit)) return false;
  number = style.decimal == '.' ? read.as_point : read.as_comma;
  return style.decimal == '.' ? read.point : read.comma;
}

}  // namespace tarry::data
