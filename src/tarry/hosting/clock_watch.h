// Watches the wall clock beside the service's time. Where it jumped, nobody knows at first which of the two is right:
// rounds are not given up by time for a while, so that somebody can look. Then the wall clock is believed, if it is
// ahead by no more than a year; a service's time never goes back.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "tarry/hosting/clock.h"

namespace tarry::hosting {

// What is to be told.
struct ClockNews {
  enum Kind : std::uint8_t {
    kAhead,   // it jumped ahead: expiry is held, and then it is believed
    kTooFar,  // it jumped ahead by more than a year, which is never believed: expiry is held
    kBehind,  // it jumped back: expiry is held
    kAgrees,  // it is back where it was: expiry goes on
    kGoesOn,  // the time to look is over, or somebody said so
  } kind;
  std::int64_t ahead_ms = 0;  // of the service's time, before that was moved
  std::int64_t moved_ms = 0;  // by so much was that moved
};

std::string in_words(const ClockNews& news);

class ClockWatch {
 public:
  static constexpr std::int64_t kJumpMs = 300'000;  // smaller steps are left alone
  static constexpr std::int64_t kYearMs = std::int64_t{366} * 24 * Clock::kHourMs;

  ClockWatch(Clock& clock, std::int64_t hold_ms) : clock_(clock), hold_ms_(hold_ms) {}

  // To be called often, by one thread. `matters`: rounds wait that are given up by time; where none does, a jump
  // changes nothing for anybody, and needs no thought.
  std::optional<ClockNews> look(std::int64_t wall_ms, bool matters);
  bool holds() const { return held_since_ms_.has_value(); }
  // From any thread: at the next look expiry goes on, by the wall clock's time if that is ahead.
  void go_on() { told_to_go_on_ = true; }

 private:
  std::optional<ClockNews> judge(std::int64_t ahead_ms, bool matters, std::int64_t looked_ms);
  ClockNews end_hold(std::int64_t ahead_ms, bool believed);

  Clock& clock_;
  const std::int64_t hold_ms_;
  std::int64_t known_ahead_ms_ = 0;  // what was judged last
  std::int64_t looked_ms_ = 0;       // when it looked last
  std::optional<std::int64_t> held_since_ms_;
  std::int64_t held_until_ms_ = 0;
  std::atomic<bool> told_to_go_on_ = false;
};

}  // namespace tarry::hosting
