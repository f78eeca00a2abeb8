#include "tarry/data/text/duration.h"

#include <fmt/format.h>

#include <cmath>

namespace tarry::data {

DurationUnit suitable_unit(double seconds) {
  const double size = std::fabs(seconds);
  if (size < 120) return {"seconds", 1};
  if (size < 7200) return {"minutes", 60};
  if (size < 172800) return {"hours", 3600};
  return {"days", 86400};
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
