#include "tarry/service/time/clock_watch.h"

#include <cstdlib>
#include <utility>

namespace tarry::service {

std::optional<ClockNews> ClockWatch::look(std::int64_t wall_ms, bool matters) {
  const std::int64_t ahead = wall_ms - clock_.now_ms();
  const std::int64_t looked = std::exchange(looked_ms_, clock_.now_ms());
  const bool told = told_to_go_on_.exchange(false);
  if (told && (holds() || ahead > kJumpMs)) return end_hold(ahead, true);
  if (std::abs(ahead - known_ahead_ms_) > kJumpMs) return judge(ahead, matters, looked);
  if (holds() && clock_.now_ms() >= held_until_ms_) return end_hold(ahead, ahead <= kYearMs);
  return std::nullopt;
}

// `looked_ms`: when it was last seen not to have jumped; 0: never.
std::optional<ClockNews> ClockWatch::judge(std::int64_t ahead_ms, bool matters, std::int64_t looked_ms) {
  known_ahead_ms_ = ahead_ms;
  if (std::abs(ahead_ms) <= kJumpMs) {
    known_ahead_ms_ = 0;
    if (!holds()) return std::nullopt;
    held_since_ms_.reset();
    return ClockNews{ClockNews::kAgrees, ahead_ms};
  }
  const auto kind = ahead_ms < 0 ? ClockNews::kBehind : ahead_ms > kYearMs ? ClockNews::kTooFar : ClockNews::kAhead;
  if (!matters && !holds()) {
    if (kind == ClockNews::kAhead) return end_hold(ahead_ms, true);
    return ClockNews{kind, ahead_ms};
  }
  const std::int64_t now = clock_.now_ms();
  if (!holds()) held_since_ms_ = looked_ms > 0 ? looked_ms : now;
  held_until_ms_ = now + hold_ms_;
  return ClockNews{kind, ahead_ms};
}

ClockNews ClockWatch::end_hold(std::int64_t ahead_ms, bool believed) {
  ClockNews news{ClockNews::kGoesOn, ahead_ms};
  if (believed && ahead_ms > 0) {
    clock_.move_on(ahead_ms, held_since_ms_.value_or(clock_.now_ms()));
    news.moved_ms = ahead_ms;
    known_ahead_ms_ = 0;
  }
  held_since_ms_.reset();
  return news;
}

}  // namespace tarry::service
