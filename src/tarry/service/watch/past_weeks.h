// The last five weeks, for reports: decisions by the quarter of a day (UTC) they were made in, and what became of them.
// Late feedback changes the past. At most 140 quarters are kept. One thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

namespace tarry::service {

struct Quarter {
  std::int64_t number = 0;  // since 1970
  std::uint64_t decisions = 0, answered = 0, given_up = 0;
  std::uint64_t losses = 0;       // answers whose loss is known, and the sums over them
  double loss = 0, constant = 0;  // of the model, and of a constant answer to the same labels

  template <class F>
  void fields(F& f) {
    f(number, decisions, answered, given_up, losses, loss, constant);
  }
};

class PastWeeks {
 public:
  static constexpr std::int64_t kQuarterMs = 6 * 3'600'000;
  static constexpr std::int64_t kKept = 140;

  // Where the clock was set back, the newest quarter is still the current one.
  Quarter& now(std::int64_t ms) {
    const std::int64_t number = ms / kQuarterMs;
    if (quarters_.empty() || quarters_.back().number < number) {
      quarters_.push_back({.number = number});
      while (quarters_.front().number <= number - kKept) quarters_.pop_front();
    }
    return quarters_.back();
  }
  Quarter* then(std::int64_t ms) {  // null: it is too long ago
    const auto at = std::lower_bound(quarters_.begin(), quarters_.end(), ms / kQuarterMs,
                                     [](const Quarter& one, std::int64_t wanted) { return one.number < wanted; });
    return at != quarters_.end() && at->number == ms / kQuarterMs ? &*at : nullptr;
  }
  const std::deque<Quarter>& quarters() const { return quarters_; }

  template <class F>
  void fields(F& f) {
    f(quarters_);
  }
  bool is_sound() const {  // after it was loaded
    return quarters_.size() <= static_cast<std::size_t>(kKept) &&
           std::is_sorted(quarters_.begin(), quarters_.end(),
                          [](const Quarter& a, const Quarter& b) { return a.number <= b.number; });
  }

 private:
  std::deque<Quarter> quarters_;  // ascending
};

}  // namespace tarry::service
