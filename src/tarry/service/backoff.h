// How long to leave alone what has failed: a second, and twice as long after each further failure, up to a minute.
#pragma once

#include <algorithm>
#include <chrono>

namespace tarry::service {

class Backoff {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kFirst{1}, kLongest{60};

  bool may_try(Time now) const { return now >= next_; }
  void failed(Time now) {
    pause_ = std::clamp(2 * pause_, kFirst, kLongest);
    next_ = now + pause_;
  }
  void succeeded() { *this = {}; }
  std::chrono::seconds pause() const { return pause_; }  // since the last failure; 0: none

 private:
  std::chrono::seconds pause_{0};
  Time next_{};
};

}  // namespace tarry::service
