// Keeps a service's time: the clock, the record of it in the store's directory, and what is said and done when the wall
// clock jumps.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tarry/hosting/clock.h"
#include "tarry/hosting/clock_watch.h"
#include "tarry/hosting/json_log.h"
#include "tarry/service/clock_record.h"
#include "tarry/service/models/service.h"
#include "tarry/store/disk/disk.h"

namespace tarry::service {

// The machine's clocks, in milliseconds.
struct MachineClocks {
  static std::int64_t wall_ms();

  std::function<std::int64_t()> wall = wall_ms;
  std::function<std::int64_t()> monotonic = hosting::Clock::monotonic_ms;
};

class TimeKeeping {
 public:
  // `last_ms`: the latest time in the log; 0: none.
  TimeKeeping(store::Disk& disk, std::string folder, hosting::JsonLog& log, std::int64_t last_ms, std::int64_t hold_ms,
              const MachineClocks& clocks = {});

  const hosting::Clock& clock() const { return clock_; }
  // Once a second, by one thread: looks at the wall clock, and gives up what is overdue unless that is held.
  void tick(Service& service);
  // Leaves a record of the time.
  void record();
  // Somebody looked at the clock and says that it is right. From any thread.
  void go_on() { watch_.go_on(); }

 private:
  static ClockRecord read(store::Disk& disk, const std::string& folder, hosting::JsonLog& log);
  TimeKeeping(store::Disk& disk, std::string folder, hosting::JsonLog& log, std::int64_t last_ms, std::int64_t hold_ms,
              const MachineClocks& clocks, const ClockRecord& record);
  void tell(const hosting::ClockNews& news, Service& service);

  store::Disk& disk_;
  const std::string folder_;
  hosting::JsonLog& log_;
  const std::int64_t hold_ms_;
  const std::function<std::int64_t()> wall_;
  hosting::Clock clock_;
  hosting::ClockWatch watch_;
  std::int64_t recorded_ms_ = 0;
};

}  // namespace tarry::service
