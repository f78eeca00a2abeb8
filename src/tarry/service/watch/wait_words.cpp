#include "tarry/service/watch/wait_words.h"

#include <fmt/format.h>

namespace tarry::service {

std::string wait_words(double ms) {
  struct Unit {
    double ms;
    const char* name;
  };
  constexpr Unit kUnits[] = {{86'400'000, "days"}, {3'600'000, "hours"}, {60'000, "minutes"}, {1000, "seconds"}};
  for (const Unit& unit : kUnits) {
    const double count = ms / unit.ms;
    if (count >= 2) return fmt::format(fmt::runtime(count < 10 ? "{:.2g} {}" : "{:.0f} {}"), count, unit.name);
  }
  return fmt::format("{:.0f} ms", ms);
}

}  // namespace tarry::service
