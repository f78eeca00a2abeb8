// The service's time: milliseconds since 1970 that never go back, so that the log's own time never does. While the
// service runs it follows the monotonic clock; the wall clock moves it only where its watch (clock_watch.h)
// says so.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace tarry::hosting {

// Time was moved forward after a while in which nobody knew whether to: what is stamped `from_ms` … `to_ms` happened
// `by_ms` later than it says.
struct TimeShift {
  std::int64_t from_ms = 0, to_ms = 0, by_ms = 0;

  bool operator==(const TimeShift&) const = default;
};

class Clock {
 public:
  static constexpr std::int64_t kHourMs = 3'600'000;
  // Time is recorded every hour, so a start that is later than this after the last record is a jump.
  static constexpr std::int64_t kMuchLaterMs = 2 * kHourMs;

  static std::int64_t monotonic_ms();

  // `last_ms`: the latest time that was recorded; 0: none. A wall clock that is before it, or much later, is not
  // believed: time goes on from `last_ms`.
  Clock(std::int64_t wall_ms, std::int64_t last_ms, std::vector<TimeShift> shifts = {},
        std::function<std::int64_t()> monotonic = monotonic_ms);

  std::int64_t now_ms() const { return base_ms_ + monotonic_(); }
  // The time before which a round must be stamped to have waited for so long.
  std::int64_t overdue_before(std::int64_t waited_ms) const;

  // Moves time forward: what was stamped since `doubted_since_ms` is as old as it was.
  void move_on(std::int64_t by_ms, std::int64_t doubted_since_ms);
  std::vector<TimeShift> shifts() const;

 private:
  std::function<std::int64_t()> monotonic_;
  std::atomic<std::int64_t> base_ms_;
  mutable std::mutex mutex_;
  std::vector<TimeShift> shifts_;  // ascending
};

}  // namespace tarry::hosting
