// The service's time: milliseconds since 1970 that never go back. While it runs it follows the monotonic clock; where
// it starts from is the wall clock's word, if that is plausible beside the last time in the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tarry::service {

class Clock {
 public:
  // `last`: the latest time in the log; 0: none. A wall clock that is before it, or more than a year ahead of it, is
  // not believed: time goes on from `last`.
  Clock(std::int64_t wall_ms, std::int64_t last_ms);

  std::int64_t now_ms() const;
  // What was wrong with the wall clock, if anything.
  const std::optional<std::string>& complaint() const { return complaint_; }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::int64_t base_ms_;
  std::optional<std::string> complaint_;
};

}  // namespace tarry::service
