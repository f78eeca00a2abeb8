#include "tarry/data/text/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {

DurationUnit suitable_unit(double seconds) {
  const double size = std::fabs(seconds);
  if (size < 120) return {"seconds", 1};
  if (size < 7200) return {"minutes", 60};
  if (size < 172800) return {"hours", 3600};
  return {"days", 86400};
}

bool read_duration(std::string_view text, double& seconds) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  static constexpr std::array<Unit, 16> kUnits = {{{"second", 1},
                                                   {"seconds", 1},
                                                   {"s", 1},
                                                   {"minute", 60},
                                                   {"minutes", 60},
                                                   {"min", 60},
                                                   {"hour", 3600},
                                                   {"hours", 3600},
                                                   {"h", 3600},
                                                   {"day", 86400},
                                                   {"days", 86400},
                                                   {"d", 86400},
                                                   {"week", 604800},
                                                   {"weeks", 604800},
                                                   {"month", 2592000},
                                                   {"months", 2592000}}};
  text = trimmed(text);
  double count = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || !(count > 0) || !std::isfinite(count)) return false;
  const std::string_view name = trimmed(text.substr(static_cast<std::size_t>(stop - text.data())));
  for (const Unit& unit : kUnits)
    if (unit.name == name) {
      seconds = count * unit.seconds;
      return true;
    }
  return false;
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
