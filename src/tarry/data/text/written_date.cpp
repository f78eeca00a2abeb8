#include "tarry/data/text/written_date.h"

#include "tarry/data/text/date_names.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {
namespace {

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

// 2024/12/31, 2024.12.31 and 2024年12月31日, in which the order is known.
bool read_year_first(std::string_view cell, TimeCell& time) {
  constexpr std::string_view kYear = "\xE5\xB9\xB4", kMonth = "\xE6\x9C\x88", kDay = "\xE6\x97\xA5";
  Taking text(trimmed(cell));
  const int year = text.digits(4);
  const bool words = text.skip_word(kYear), slash = !words && text.skip("/");
  if (!words && !slash) text.need(".");
  const int month = text.one_or_two(12);
  if (!words) text.need(slash ? "/" : ".");
  if (words && !text.skip_word(kMonth)) text.refuse();
  const int day = text.one_or_two(31);
  if (words && !text.skip_word(kDay)) text.refuse();
  TimeCell read;
  if (!text.fits() || !day_of(year, month, day, read.seconds)) return false;
  take_time(text, read);
  if (!text.done()) return false;
  time = read;
  return true;
}

// The time of day comes before the year: Mon Mar  4 08:00:00 2024, as ctime and date write it.
bool comes_before_year(Taking text) {
  text.skip(" ");
  text.one_or_two(23);
  return text.fits() && text.sees(":");
}

// The day and the month, whichever comes first; 0: there is no name of a month.
struct DayAndMonth {
  int day = 0, month = 0;
  bool day_first = false;
};
DayAndMonth take_day_and_month(Taking& text) {
  DayAndMonth read{.day_first = text.sees_digit()};
  if (read.day_first) {
    read.day = text.one_or_two(31);
    skip_ordinal(text);
    text.skip(".");
    text.skip("-/ ");
    text.skip_word("de ");  // 4 de marzo de 2024
    read.month = take_month(text);
    return read;
  }
  read.month = take_month(text);
  text.skip("-/ ");
  text.skip_spaces();
  if (read.month > 0) read.day = text.one_or_two(31);
  skip_ordinal(text);
  return read;
}

// 28-Jan-2024, 28 January 2024, 28. Januar 2024, Jan 28 2024, Mon, 28 Jan 2024 15:05:00 GMT,
// 28/Jan/2024:15:05:00 +0000, Mon Jan 28 2024 15:05:00 GMT+0100 (CET), Mon Jan 28 15:05:00 2024.
bool read_with_name(std::string_view cell, TimeCell& time) {
  Taking text(trimmed(cell));
  Taking after_day = text;  // of the week; mar is a day and a month, and what follows decides
  if (take_weekday(after_day)) {
    after_day.skip(",");
    const bool spaced = after_day.skip(" ");
    Taking ahead = after_day;
    ahead.skip_spaces();
    if (spaced && take_day_and_month(ahead).month > 0) text = after_day;
  }
  const auto [day, month, day_first] = take_day_and_month(text);
  if (month == 0 || !text.fits()) return false;
  TimeCell read, of_day;
  const bool time_first = comes_before_year(text);
  if (time_first) {
    take_time(text, of_day);
    text.skip(" ");
  } else {
    text.skip(",");
    text.skip("-/ ");
    text.skip_word("de ");
  }
  const int year = take_year(text, day_first && !time_first);
  if (!text.fits() || !day_of(year, month, day, read.seconds)) return false;
  if (time_first) {
    of_day.seconds += read.seconds;
    read = of_day;
  } else {
    take_time(text, read);
  }
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
  read.year = take_year(text, slash || dot);
  read.dotted = dot;
  if (!text.fits()) return false;
  take_time(text, read.time);
  TimeCell exists;
  const std::string_view whole = trimmed(cell);
  read.like_version = dot && !read.time.has_time && whole.size() < 8;
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
  cell = trimmed(cell);
  Taking text(cell);
  const int year = text.digits(4), month = text.digits(2), day = text.digits(2);
  TimeCell read;
  if (!text.fits() || year < 1900 || year > 2100 || !day_of(year, month, day, read.seconds)) return false;
  if (cell.size() > 8) {  // 20240131235959, or without the seconds
    read.has_time = true;
    read.seconds += 3600.0 * text.digits(2, 23);
    read.seconds += 60.0 * text.digits(2, 59);
    if (!text.empty()) read.seconds += text.digits(2, 60);
  }
  if (!text.done()) return false;
  time = read;
  return true;
}

}  // namespace tarry::data
