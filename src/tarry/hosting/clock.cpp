#include "tarry/hosting/clock.h"

#include <algorithm>
#include <chrono>

namespace tarry::hosting {
namespace {

constexpr std::size_t kShiftsKept = 100;

}  // namespace

std::int64_t Clock::monotonic_ms() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

Clock::Clock(std::int64_t wall_ms, std::int64_t last_ms, std::vector<TimeShift> shifts,
             std::function<std::int64_t()> monotonic)
    : monotonic_(std::move(monotonic)), shifts_(std::move(shifts)) {
  const bool believed = last_ms == 0 || (wall_ms >= last_ms && wall_ms - last_ms <= kMuchLaterMs);
  base_ms_ = (believed ? wall_ms : last_ms + 1) - monotonic_();  // what was stamped before is older
}

// A shift leaves no stamps between its end and where time went on.
std::int64_t Clock::overdue_before(std::int64_t waited_ms) const {
  const std::int64_t before = now_ms() - waited_ms;
  const std::lock_guard lock(mutex_);
  for (auto shift = shifts_.rbegin(); shift != shifts_.rend(); ++shift) {
    if (before >= shift->to_ms + shift->by_ms) break;
    if (before > shift->from_ms) return std::clamp(before - shift->by_ms, shift->from_ms, shift->to_ms);
  }
  return before;
}

void Clock::move_on(std::int64_t by_ms, std::int64_t doubted_since_ms) {
  if (by_ms <= 0) return;
  const std::lock_guard lock(mutex_);
  const std::int64_t now = now_ms();
  if (doubted_since_ms < now) shifts_.push_back({doubted_since_ms, now, by_ms});
  if (shifts_.size() > kShiftsKept) shifts_.erase(shifts_.begin());
  base_ms_ += by_ms;
}

std::vector<TimeShift> Clock::shifts() const {
  const std::lock_guard lock(mutex_);
  return shifts_;
}

}  // namespace tarry::hosting
