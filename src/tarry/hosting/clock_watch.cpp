#include "tarry/hosting/clock_watch.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace tarry::hosting {
namespace {

// "3 days 4 h", "2 h 5 min", "6 min"
std::string span_text(std::int64_t ms) {
  const std::int64_t minutes = std::abs(ms) / 60'000, hours = minutes / 60, days = hours / 24;
  if (days > 0) return fmt::format("{} days {} h", days, hours % 24);
  if (hours > 0) return fmt::format("{} h {} min", hours, minutes % 60);
  return fmt::format("{} min", minutes);
}

}  // namespace

std::string in_words(const ClockNews& news) {
  const std::string span = span_text(news.ahead_ms);
  switch (news.kind) {
    case ClockNews::kAhead:
      return fmt::format("the wall clock is {} ahead of the time that was recorded last", span);
    case ClockNews::kTooFar:
      return fmt::format(
          "the wall clock is {} ahead of the time that was recorded last, more than a year: it is ignored", span);
    case ClockNews::kBehind:
      return fmt::format("the wall clock is {} before the time that was recorded last: it is ignored", span);
    case ClockNews::kAgrees:
      return "the wall clock is right again: expiry by time goes on";
    case ClockNews::kGoesOn:
      if (news.moved_ms == 0) return "expiry by time goes on";
      return fmt::format("the wall clock is believed, {} ahead: expiry by time goes on", span);
  }
  return {};
}

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

}  // namespace tarry::hosting
