#include "tarry/data/text/written_date.h"

#include <array>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                       "Friday", "Saturday", "Sunday"};

// Which of these names comes next, in full or by its first three letters, from 1; 0: none.
template <std::size_t n>
int take_name(Taking& text, const std::array<std::string_view, n>& names) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!text.skip_word(names[i]) && !text.skip_word(names[i].substr(0, 3))) continue;
    if (names[i] == "September") text.skip("tT");  // Sept
    text.skip(".");
    return static_cast<int>(i) + 1;
  }
  return 0;
}

// 1st, 2nd, 3rd, 4th.
void skip_ordinal(Taking& text) {
  for (const std::string_view ending : {"st", "nd", "rd", "th"})
    if (text.skip_word(ending)) return;
}

// 2024, or 24.
int take_year(Taking& text, bool short_too) {
  const int two = text.digits(2);
  if (text.sees_digit()) return 100 * two + text.digits(2);
  if (!short_too) text.refuse();
  return two < 70 ? 2000 + two : 1900 + two;
}

// 2024/12/31 and 2024.12.31, in which the order is known.
bool read_year_first(std::string_view cell, TimeCell& time) {
  Taking text(trimmed(cell));
  const int year = text.digits(4);
  const bool slash = text.skip("/");
  if (!slash) text.need(".");
  const int month = text.one_or_two(12);
  text.need(slash ? "/" : ".");
  const int day = text.one_or_two(31);
  TimeCell read;
  if (!text.fits() || !day_of(year, month, day, read.seconds)) return false;
  take_time(text, read);
  if (!text.done()) return false;
  time = read;
  return true;
}

// 28-Jan-2024, 28 January 2024, Jan 28 2024, Mon, 28 Jan 2024 15:05:00 GMT, 28/Jan/2024:15:05:00 +0000.
bool read_with_name(std::string_view cell, TimeCell& time) {
  Taking text(trimmed(cell));
  if (take_name(text, kWeekdays) > 0) {
    text.skip(",");
    text.need(" ");
  }
  int day = 0, month = 0;
  const bool day_first = text.sees_digit();
  if (day_first) {
    day = text.one_or_two(31);
    skip_ordinal(text);
    text.skip(".");
    text.skip("-/ ");
    month = take_name(text, kMonths);
  } else {
    month = take_name(text, kMonths);
    text.skip("-/ ");
    if (month > 0) day = text.one_or_two(31);
    skip_ordinal(text);
  }
  if (month == 0 || !text.fits()) return false;
  text.skip(",");
  text.skip("-/ ");
  const int year = take_year(text, day_first);
  TimeCell read;
  if (!text.fits() || !day_of(year, month, day, read.seconds)) return false;
  take_time(text, read);
  if (!text.done()) return false;
  time = read;
  return true;
}

}  // namespace

bool read_written_date(std::string_view cell, WrittenDate& date) {
  Taking text(trimmed(cell));
  WrittenDate read;
  read.first = text.one_or_two(31);
  const bool slash = text.skip("/"), dot = !slash && text.skip(".");
  const char* const between = slash ? "/" : dot ? "." : "-";
  if (!slash && !dot) text.need(between);
  read.second = text.one_or_two(31);
  text.need(between);
  if (!text.fits()) return false;
  read.year = take_year(text, slash);
  read.dotted = dot;
  if (!text.fits()) return false;
  take_time(text, read.time);
  TimeCell exists;
  if (!text.done() || (!time_of(read, DateOrder::kDayFirst, exists) && !time_of(read, DateOrder::kMonthFirst, exists)))
    return false;
  date = read;
  return true;
}

bool time_of(const WrittenDate& date, DateOrder order, TimeCell& time) {
  if (order == DateOrder::kNone) return false;
  const bool day_first = order == DateOrder::kDayFirst;
  double midnight = 0;
  if (!day_of(date.year, day_first ? date.second : date.first, day_first ? date.first : date.second, midnight))
    return false;
  time = date.time;
  time.seconds += midnight;
  return true;
}

bool read_time_cell(std::string_view cell, DateOrder order, TimeCell& time) {
  if (read_iso_time(cell, time) || read_year_first(cell, time) || read_with_name(cell, time)) return true;
  WrittenDate date;
  return order != DateOrder::kNone && read_written_date(cell, date) && time_of(date, order, time);
}

bool read_date(std::string_view cell, DateOrder order, double& seconds) {
  TimeCell time;
  if (!read_time_cell(cell, order, time)) return false;
  seconds = time.seconds;
  return true;
}

bool read_compact_date(std::string_view cell, TimeCell& time) {
  Taking text(trimmed(cell));
  const int year = text.digits(4), month = text.digits(2), day = text.digits(2);
  TimeCell read;
  if (!text.done() || year < 1900 || year > 2100 || !day_of(year, month, day, read.seconds)) return false;
  time = read;
  return true;
}

}  // namespace tarry::data
