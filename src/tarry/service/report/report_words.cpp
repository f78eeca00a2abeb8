#include "tarry/service/report/report_words.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace tarry::service {
namespace {

// At a space between a number and its %.
bool stays_together(std::string_view text, std::size_t k) {
  return k > 0 && text[k - 1] >= '0' && text[k - 1] <= '9' && text.substr(k + 1).starts_with('%');
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
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
      case ' ':
        out += stays_together(text, k) ? "&nbsp;" : " ";
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
