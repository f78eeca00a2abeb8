// The time by which a worker gives rounds up: its own clock's, and where that has jumped, nobody's for a while, as in a
// service (hosting/clock_watch.h). Events have the broker's times, so what was said while the clock was in doubt needs
// no correction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tarry/hosting/clock.h"
#include "tarry/hosting/clock_watch.h"

namespace tarry::kafka {

class ExpiryTime {
 public:
  explicit ExpiryTime(std::int64_t hold_ms, std::function<std::int64_t()> monotonic = hosting::Clock::monotonic_ms)
      : hold_ms_(hold_ms), monotonic_(std::move(monotonic)) {}

  // To be called often, by one thread, once all that is there was folded. `last_ms`: the time of the latest event; it
  // counts at the first look, as what a service has recorded does. `matters`: rounds wait that are given up by time.
  std::optional<hosting::ClockNews> look(std::int64_t wall_ms, std::int64_t last_ms, bool matters) {
    if (!clock_) {
      clock_.emplace(wall_ms, last_ms, std::vector<hosting::TimeShift>(), monotonic_);
      watch_.emplace(*clock_, hold_ms_);
    }
    return watch_->look(wall_ms, matters);
  }
  bool began() const { return clock_.has_value(); }  // it has looked
  bool holds() const { return watch_ && watch_->holds(); }
  // Somebody says that the clock is right: at the next look expiry goes on.
  void go_on() {
    if (watch_) watch_->go_on();
  }
  std::int64_t now_ms() const { return clock_->now_ms(); }  // after a look
  std::int64_t hold_ms() const { return hold_ms_; }

 private:
  const std::int64_t hold_ms_;
  const std::function<std::int64_t()> monotonic_;
  std::optional<hosting::Clock> clock_;
  std::optional<hosting::ClockWatch> watch_;
};

}  // namespace tarry::kafka
