#include "tarry/service/time_keeping.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace tarry::service {

std::int64_t MachineClocks::wall_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

TimeKeeping::TimeKeeping(store::Disk& disk, std::string folder, hosting::JsonLog& log, std::int64_t last_ms,
                         std::int64_t hold_ms, const MachineClocks& clocks)
    : TimeKeeping(disk, folder, log, last_ms, hold_ms, clocks, read(disk, folder, log)) {}

TimeKeeping::TimeKeeping(store::Disk& disk, std::string folder, hosting::JsonLog& log, std::int64_t last_ms,
                         std::int64_t hold_ms, const MachineClocks& clocks, const ClockRecord& record)
    : disk_(disk),
      folder_(std::move(folder)),
      log_(log),
      hold_ms_(hold_ms),
      wall_(clocks.wall),
      clock_(wall_(), std::max(last_ms, record.at_ms), record.shifts, clocks.monotonic),
      watch_(clock_, hold_ms) {}

ClockRecord TimeKeeping::read(store::Disk& disk, const std::string& folder, hosting::JsonLog& log) {
  const std::string path = fmt::format("{}/{}", folder, kClockFile);
  if (!disk.exists(path)) return {};
  if (const auto record = read_clock_record(store::read_whole(disk, path))) return *record;
  log.warning("clock", {{"why", {path + " is damaged: the log's last time is used instead"}}});
  return {};
}

void TimeKeeping::record() {
  recorded_ms_ = clock_.now_ms();
  try {
    const ClockRecord record{.at_ms = recorded_ms_, .shifts = clock_.shifts()};
    store::write_whole(disk_, folder_, std::string(kClockFile), clock_record_bytes(record));
  } catch (const Error& error) {  // the log's own times are a record too
    log_.warning("clock", {{"why", {fmt::format("the time could not be recorded: {}", error.what())}}});
  }
}

void TimeKeeping::tick(Service& service) {
  const auto news = watch_.look(wall_(), service.gives_up_by_time());
  if (news) tell(*news, service);
  if (clock_.now_ms() - recorded_ms_ >= hosting::Clock::kHourMs || (news && news->moved_ms > 0)) record();
  if (!watch_.holds()) service.expire_overdue();
}

// A jump that holds expiry is logged with what it is held for; models are asked on their lanes.
void TimeKeeping::tell(const hosting::ClockNews& news, Service& service) {
  spec::Object line{{"why", {in_words(news)}}};
  if (!watch_.holds()) {
    if (news.kind == hosting::ClockNews::kAgrees || news.kind == hosting::ClockNews::kGoesOn)
      return log_.info("clock", std::move(line));
    return log_.warning("clock", std::move(line));
  }
  service.count_overdue(std::max<std::int64_t>(0, news.ahead_ms), [this, line](spec::Object rounds) mutable {
    line.push_back({"expiry_held_seconds", {hold_ms_ / 1000}});
    line.push_back({"would_expire", {std::move(rounds)}});
    line.push_back({"to_stop_it", {std::string("stop the service, set the clock right, and start it again")}});
    line.push_back({"to_go_on_at_once", {fmt::format("kill -USR1 {}", ::getpid())}});
    log_.warning("clock", std::move(line));
  });
}

}  // namespace tarry::service
