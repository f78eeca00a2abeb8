// Numbers as people and spreadsheets write them: $1,234.50, €1.000,00, 3,36, 12 %, (45), 45-, 12 kg, 1 234, 1.2k,
// <0.5, and lengths of time: 00:23:11, 2h 15m.
#pragma once

#include <string>
#include <string_view>

namespace tarry::data {

// What a cell is under each of the two habits; a plain whole number suits both.
struct NumberCell {
  bool point = false, comma = false;  // whether it is a number with a decimal point, with a decimal comma
  double as_point = 0, as_comma = 0;  // then, which
  std::string unit = {};              // "$", "%", "kg"; empty: none
  bool minus_behind = false;          // 45-
  bool leading_zero = false;          // 00123: more a code than a size
  bool limit = false;                 // <0.5 and >100: the limit of what a device can measure
  bool grouped = false;               // has a point or a comma that may divide thousands: 1,234 or 1.234
};

// False for anything that is no number under either habit, and for numbers that are not finite.
bool read_number_cell(std::string_view cell, NumberCell& number);

// How the numbers of one column are written.
struct NumberStyle {
  bool plain = true;  // as programs write them: read_number is enough
  char decimal = '.';
  std::string unit = {};
  bool length = false;  // of time, as 00:23:11 or 2h 15m: in seconds

  bool operator==(const NumberStyle&) const = default;
};

// A finite number in this style; a unit may be left out, but not be another one.
bool read_styled(std::string_view cell, const NumberStyle& style, double& number);

bool is_money(std::string_view unit);  // a sign or a code of a currency

}  // namespace tarry::data
