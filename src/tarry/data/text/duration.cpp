#include "tarry/data/text/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "tarry/data/text/taking.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {

DurationUnit suitable_unit(double seconds) {
  const double size = std::fabs(seconds);
  if (size < 120) return {"seconds", 1};
  if (size < 7200) return {"minutes", 60};
  if (size < 172800) return {"hours", 3600};
  return {"days", 86400};
}

namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array<Unit, 21> kUnits = {
    {{"seconds", 1},   {"second", 1},       {"secs", 1},       {"sec", 1},      {"s", 1},       {"minutes", 60},
     {"minute", 60},   {"mins", 60},        {"min", 60},       {"hours", 3600}, {"hour", 3600}, {"hrs", 3600},
     {"hr", 3600},     {"h", 3600},         {"days", 86400},   {"day", 86400},  {"d", 86400},   {"weeks", 604800},
     {"week", 604800}, {"months", 2592000}, {"month", 2592000}}};

double unit_called(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (unit.name == name) return unit.seconds;
  return 0;
}

// 23:59:59, 123:04:05, 1:02:03.5; minus before it.
bool read_clock(std::string_view text, double& seconds) {
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon > 4 || colon == std::string_view::npos) return false;
  Taking taking(text);
  const int hours = taking.digits(static_cast<int>(colon));
  taking.need(":");
  const int minutes = taking.digits(2, 59);
  taking.need(":");
  double all = 3600.0 * hours + 60.0 * minutes + taking.digits(2, 59);
  if (taking.skip(".,")) all += taking.fraction();
  if (!taking.done()) return false;
  seconds = minus ? -all : all;
  return true;
}

}  // namespace

bool read_duration(std::string_view text, double& seconds) {
  text = trimmed(text);
  double count = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || !(count > 0) || !std::isfinite(count)) return false;
  const double unit = unit_called(trimmed(text.substr(static_cast<std::size_t>(stop - text.data()))));
  if (unit > 0) seconds = count * unit;
  return unit > 0;
}

LengthCell read_length(std::string_view text, double& seconds) {
  text = trimmed(text);
  constexpr std::size_t kLongest = 40;
  if (text.empty() || text.size() > kLongest) return {};
  if (read_clock(text, seconds)) return {true, true};
  double all = 0, last = std::numeric_limits<double>::infinity();
  int parts = 0;
  while (!text.empty()) {
    double count = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count, std::chars_format::fixed);
    if (error != std::errc() || !(count >= 0)) return {};
    text = trimmed(text.substr(static_cast<std::size_t>(stop - text.data())));
    std::size_t end = 0;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    const std::string_view name = text.substr(0, end);
    const double unit = name == "m" ? 60 : unit_called(name);
    if (!(unit > 0) || !(unit < last)) return {};  // from the largest unit down
    all += count * unit;
    last = unit;
    ++parts;
    text = trimmed(text.substr(end));
    if (text.starts_with(',')) text = trimmed(text.substr(1));
  }
  seconds = all;
  return {true, parts > 1};
}

std::string spoken_duration(double seconds) {
  const DurationUnit unit = suitable_unit(seconds);
  const double count = seconds / unit.seconds;
  const std::string number = std::fabs(count) < 9.95 && std::fabs(count - std::round(count)) >= 0.05
                                 ? fmt::format("{:.1f}", count)
                                 : fmt::format("{:.0f}", count);
  std::string name = unit.name;
  if (number == "1") name.pop_back();
  return fmt::format("{} {}", number, name);
}

}  // namespace tarry::data
