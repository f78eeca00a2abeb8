#include "timing.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <chrono>

namespace tarry::bench {

void take_turns(std::vector<Contestant>& contestants, int turns) {
  using Clock = std::chrono::steady_clock;
  for (Contestant& each : contestants) each.run();
  for (int turn = 0; turn < turns; ++turn)
    for (Contestant& each : contestants) {
      const auto start = Clock::now();
      each.run();
      each.seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count() / each.updates);
    }
}

void print(const std::vector<Contestant>& contestants) {
  for (const Contestant& each : contestants)
    fmt::print("{{\"name\": \"{}\", \"seconds\": [{}]}}\n", each.name, fmt::join(each.seconds, ", "));
}

}  // namespace tarry::bench
