#include "tarry/data/text/iso_time.h"

#include <chrono>

#include "tarry/data/text/taking.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {
namespace {

double time_of_day(Taking& text) {
  double seconds = 3600.0 * text.digits(2, 23);
  text.need(":");
  seconds += 60.0 * text.digits(2, 59);
  if (!text.skip(":")) return seconds;
  seconds += text.digits(2, 60);  // 60: a leap second
  return text.skip(".,") ? seconds + text.fraction() : seconds;
}

// Seconds that a zone is ahead of UTC.
double zone(Taking& text) {
  if (text.skip("Zz") || !text.sees("+-")) return 0;
  const double sign = text.skip("-") ? -1 : (text.need("+"), 1);
  double seconds = 3600.0 * text.digits(2, 23);
  const bool colon = text.skip(":");
  if (colon || text.sees_digit()) seconds += 60.0 * text.digits(2, 59);
  return sign * seconds;
}

}  // namespace

bool day_of(int year, int month, int day, double& seconds) {
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return false;
  seconds = 86400.0 * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return true;
}

bool read_iso_time(std::string_view cell, double& seconds) {
  Taking text(trimmed(cell));
  const int year = text.digits(4);
  text.need("-");
  const int month = text.digits(2);
  text.need("-");
  const int day = text.digits(2);
  double sum = 0;
  if (!day_of(year, month, day, sum)) return false;
  if (text.skip("Tt ")) {
    sum += time_of_day(text);
    sum -= zone(text);
  }
  if (!text.done()) return false;
  seconds = sum;
  return true;
}

}  // namespace tarry::data
