#include "tarry/service/clock.h"

#include <fmt/format.h>

namespace tarry::service {
namespace {

constexpr std::int64_t kYearMs = std::int64_t{366} * 24 * 3600 * 1000;

}  // namespace

Clock::Clock(std::int64_t wall_ms, std::int64_t last_ms) : base_ms_(wall_ms) {
  if (last_ms == 0) return;
  const std::int64_t ahead = wall_ms - last_ms;
  if (ahead >= 0 && ahead <= kYearMs) return;
  base_ms_ = last_ms;
  complaint_ = fmt::format("the wall clock is {} s {} the last time in the log: it is ignored",
                           (ahead < 0 ? -ahead : ahead) / 1000, ahead < 0 ? "before" : "after");
}

std::int64_t Clock::now_ms() const {
  const auto since = std::chrono::steady_clock::now() - started_;
  return base_ms_ + std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

}  // namespace tarry::service
