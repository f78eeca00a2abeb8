#include "tarry/service/report/report_words.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace tarry::service {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string count_text(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string number_text(double x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : "–"; }

std::string percent_text(double share) { return std::isfinite(share) ? fmt::format("{:.0f} %", 100 * share) : "–"; }

std::string day_and_time(std::int64_t ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> at{milliseconds(ms)};
  const sys_days day = floor<days>(at);
  const year_month_day date(day);
  const std::int64_t minutes = (ms - duration_cast<milliseconds>(day.time_since_epoch()).count()) / 60'000;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), minutes / 60,
                     minutes % 60);
}

std::string_view plural_s(double count) { return count == 1 ? "" : "s"; }

}  // namespace tarry::service
