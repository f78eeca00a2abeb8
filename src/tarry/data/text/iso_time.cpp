#include "tarry/data/text/iso_time.h"

#include <array>
#include <chrono>

#include "tarry/data/text/date_names.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {
namespace {

struct NamedZone {
  std::string_view name;
  double hours;
};
// Longer names first.
constexpr std::array<NamedZone, 18> kZones = {{{"CEST", 2},
                                               {"EEST", 3},
                                               {"WEST", 1},
                                               {"UTC", 0},
                                               {"GMT", 0},
                                               {"CET", 1},
                                               {"EET", 2},
                                               {"WET", 0},
                                               {"BST", 1},
                                               {"EST", -5},
                                               {"EDT", -4},
                                               {"CST", -6},
                                               {"CDT", -5},
                                               {"MST", -7},
                                               {"MDT", -6},
                                               {"PST", -8},
                                               {"PDT", -7},
                                               {"Z", 0}}};

// AM and PM, a.m. and p.m.
void take_half_day(Taking& text, int& hour) {
  Taking ahead = text;
  ahead.skip(" ");
  const bool afternoon = ahead.skip("Pp");
  if (!afternoon && !ahead.skip("Aa")) return;
  ahead.skip(".");
  if (!ahead.skip("Mm")) return;
  ahead.skip(".");
  text = ahead;
  if (hour < 1 || hour > 12) text.refuse();
  hour = hour % 12 + (afternoon ? 12 : 0);
}

void take_zone(Taking& text, TimeCell& time) {
  text.skip(" ");
  for (const NamedZone& zone : kZones)
    if (text.skip_word(zone.name)) {
      time.zoned = true;
      time.zone = 3600 * zone.hours;
      if (zone.hours != 0 || !text.sees("+-")) return;
      break;  // UTC+2
    }
  if (!text.sees("+-")) return;
  const double sign = text.skip("-") ? -1 : (text.need("+"), 1);
  double seconds = 3600.0 * text.one_or_two(23);
  const bool colon = text.skip(":");
  if (colon || text.sees_digit()) seconds += 60.0 * text.digits(2, 59);
  time.zoned = true;
  time.zone = sign * seconds;
  Taking ahead = text;  // GMT+0100 (Central European Standard Time)
  ahead.skip(" ");
  if (ahead.sees("(") && ahead.ends_with(')')) text.skip_rest();
}

// 20240304T080000Z, without any dashes and colons: the date is taken already.
bool take_basic_time(Taking& text, TimeCell& time) {
  text.need("Tt");
  double seconds = 3600.0 * text.digits(2, 23);
  seconds += 60.0 * text.digits(2, 59);
  if (text.sees_digit()) {
    seconds += text.digits(2, 60);
    if (text.skip(".,")) seconds += text.fraction();
  }
  time.has_time = true;
  time.seconds += seconds;
  take_zone(text, time);
  time.seconds -= time.zone;
  return text.done();
}

}  // namespace

bool day_of(int year, int month, int day, double& seconds) {
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return false;
  seconds = 86400.0 * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return true;
}

void take_time(Taking& text, TimeCell& time) {
  text.skip(",");
  const bool iso = text.skip("Tt");
  if (!iso && !text.skip(" :")) return;
  text.skip(" ");
  skip_at(text);
  int hour = text.one_or_two(23);
  if (iso && text.empty()) {  // 2024-03-04T08
    time.has_time = true;
    time.seconds += 3600.0 * hour;
    return;
  }
  text.need(":.h");
  double seconds = 60.0 * text.digits(2, 59);
  if (text.skip(":.")) {
    seconds += text.digits(2, 60);  // 60: a leap second
    if (text.skip(".,")) seconds += text.fraction();
  }
  take_half_day(text, hour);
  text.skip_word(" Uhr");
  time.has_time = true;
  time.seconds += 3600.0 * hour + seconds;
  take_zone(text, time);
  time.seconds -= time.zone;
}

bool read_iso_time(std::string_view cell, TimeCell& time) {
  Taking text(trimmed(cell));
  const int year = text.digits(4);
  const bool dashed = text.skip("-");
  TimeCell read;
  if (!text.fits()) return false;
  if (text.skip("W")) {  // the week of the first Thursday is the first
    const int week = text.digits(2, 53);
    const bool has_day = !text.empty();
    if (has_day && text.skip("-") != dashed) return false;
    const int day = has_day ? text.digits(1, 7) : 1;
    double fourth = 0;
    if (!text.fits() || week < 1 || day < 1 || !day_of(year, 1, 4, fourth)) return false;
    const std::chrono::sys_days january(std::chrono::days(static_cast<int>(fourth / 86400)));
    const auto before = std::chrono::weekday(january).iso_encoding() - 1;
    read.seconds = fourth + 86400.0 * (7.0 * (week - 1) + day - 1 - before);
  } else {
    const int month = text.digits(2);
    if (dashed) text.need("-");
    const int day = text.digits(2);
    if (!text.fits() || !day_of(year, month, day, read.seconds)) return false;
    if (!dashed) {
      if (!take_basic_time(text, read)) return false;
      time = read;
      return true;
    }
  }
  take_time(text, read);
  if (!text.done()) return false;
  time = read;
  return true;
}

bool read_iso_time(std::string_view cell, double& seconds) {
  TimeCell time;
  if (!read_iso_time(cell, time)) return false;
  seconds = time.seconds;
  return true;
}

}  // namespace tarry::data
