// The time that a service had last, in a file `clock` of its directory, written every hour: a log in which nothing
// happens says nothing about the time that passes.
//
//   "TARRYCLK" · u64 format · i64 time · u64 n · n × (i64 from · i64 to · i64 by) · u64 CRC-32C
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/hosting/clock.h"

namespace tarry::service {

inline constexpr std::string_view kClockFile = "clock";

struct ClockRecord {
  std::int64_t at_ms = 0;
  std::vector<hosting::TimeShift> shifts = {};

  bool operator==(const ClockRecord&) const = default;
};

std::string clock_record_bytes(const ClockRecord& record);
// Nothing where it is damaged or of another format: the log's own times do then.
std::optional<ClockRecord> read_clock_record(std::string_view bytes);

}  // namespace tarry::service
