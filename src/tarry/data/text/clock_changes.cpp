#include "tarry/data/text/clock_changes.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace tarry::data {
namespace {

std::chrono::sys_days day(double seconds) {
  return std::chrono::sys_days(std::chrono::days(static_cast<int>(std::floor(seconds / 86400))));
}

}  // namespace

bool in_repeated_hour(double local) {
  using namespace std::chrono;
  if (!(std::fabs(local) < 1e11)) return false;
  const sys_days today = day(local);
  const double hour = (local - 86400.0 * static_cast<double>(today.time_since_epoch().count())) / 3600;
  const auto year = year_month_day(today).year();
  if (today == sys_days(year / October / Sunday[last])) return hour >= 1 && hour < 3;
  return today == sys_days(year / November / Sunday[1]) && hour >= 1 && hour < 2;
}

void SpringNights::add(double local) {
  using namespace std::chrono;
  if (!(std::fabs(local) < 1e11)) return;
  const sys_days today = day(local);
  const int number = static_cast<int>(today.time_since_epoch().count());
  const auto hour = static_cast<std::size_t>((local - 86400.0 * number) / 3600);
  if (hour >= kHours || weekday(today) != Sunday) return;
  const auto year = year_month_day(today).year();
  if (today == sys_days(year / March / Sunday[last]) || today == sys_days(year / March / Sunday[2]))
    ++nights_[number][hour];
}

std::string SpringNights::skipped() const {
  for (const auto& [number, hours] : nights_)
    for (std::size_t hour = 1; hour + 1 < kHours; ++hour)
      if (hours[hour - 1] > 1 && hours[hour] == 0 && hours[hour + 1] > 1) return day_of_time(86400.0 * number);
  return {};
}

std::string day_of_time(double seconds) {
  const std::chrono::year_month_day date(day(seconds));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace tarry::data
