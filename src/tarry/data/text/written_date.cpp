#include "tarry/data/text/written_date.h"

#include "tarry/data/text/iso_time.h"
#include "tarry/data/text/taking.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {
namespace {

// 14:30, 14:30:15.5, 2:30 PM; nothing is midnight.
double time_after(Taking& text) {
  text.skip(",");
  if (!text.skip(" T")) return 0;
  int hour = text.one_or_two(23);
  text.need(":");
  double seconds = 60.0 * text.digits(2, 59);
  if (text.skip(":")) {
    seconds += text.digits(2, 60);
    if (text.skip(".")) seconds += text.fraction();
  }
  text.skip(" ");
  if (text.sees("AaPp")) {
    const bool afternoon = text.skip("Pp");
    if (!afternoon) text.need("Aa");
    text.need("Mm");
    if (hour < 1 || hour > 12) text.refuse();
    hour = hour % 12 + (afternoon ? 12 : 0);
  }
  return 3600.0 * hour + seconds;
}

// 2024/12/31, in which the order is known.
bool read_year_first(std::string_view cell, double& seconds) {
  Taking text(trimmed(cell));
  const int year = text.digits(4);
  text.need("/");
  const int month = text.one_or_two(12);
  text.need("/");
  const int day = text.one_or_two(31);
  const double time = text.fits() ? time_after(text) : 0;
  double midnight = 0;
  if (!text.done() || !day_of(year, month, day, midnight)) return false;
  seconds = midnight + time;
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
  read.year = text.digits(4);
  if (!text.fits()) return false;
  read.time = time_after(text);
  double seconds = 0;
  if (!text.done() ||
      (!seconds_of(read, DateOrder::kDayFirst, seconds) && !seconds_of(read, DateOrder::kMonthFirst, seconds)))
    return false;
  date = read;
  return true;
}

bool seconds_of(const WrittenDate& date, DateOrder order, double& seconds) {
  if (order == DateOrder::kNone) return false;
  const bool day_first = order == DateOrder::kDayFirst;
  double midnight = 0;
  if (!day_of(date.year, day_first ? date.second : date.first, day_first ? date.first : date.second, midnight))
    return false;
  seconds = midnight + date.time;
  return true;
}

bool read_date(std::string_view cell, DateOrder order, double& seconds) {
  if (read_iso_time(cell, seconds) || read_year_first(cell, seconds)) return true;
  WrittenDate date;
  return order != DateOrder::kNone && read_written_date(cell, date) && seconds_of(date, order, seconds);
}

}  // namespace tarry::data
