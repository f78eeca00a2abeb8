// What the service counts for /metrics, from any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace tarry::service {

struct Counters {
  using Count = std::atomic<std::uint64_t>;

  Count decisions = 0, repeated_decisions = 0, predictions = 0;
  Count accepted = 0, duplicates = 0, conflicts = 0, too_late = 0, untracked = 0, unknown = 0, forged = 0,
        impossible = 0;
  Count lost = 0;  // tickets of a history that is no longer there
  Count expired = 0;
  Count overloaded = 0, disk_full = 0;
  Count snapshots = 0, failed_snapshots = 0;
  std::array<Count, 6> requests{};  // by the first digit of the status
  static constexpr std::array<double, 12> kBounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                  0.05,   0.1,   0.25,   0.5,   1,    5};  // seconds
  std::array<Count, kBounds.size() + 1> durations{};  // of requests, each in one of them
  Count nanoseconds = 0;                              // of all of them together

  void answered(int status, double seconds) {
    ++requests[static_cast<std::size_t>(status / 100) % requests.size()];
    std::size_t bucket = 0;
    while (bucket < kBounds.size() && seconds > kBounds[bucket]) ++bucket;
    ++durations[bucket];
    nanoseconds += static_cast<std::uint64_t>(seconds * 1e9);
  }
};

}  // namespace tarry::service
