// What a report says about one model: a row for the table of all of them, a section of its own, and the numbers that
// its figures are drawn from.
#pragma once

#include <cstdint>
#include <string>

#include "tarry/hosting/hosted_model.h"
#include "tarry/service/watch/watch.h"

namespace tarry::service {

// The period, and when all that is said was known.
struct ReportTimes {
  std::int64_t from_ms = 0, to_ms = 0, as_of_ms = 0;
};

struct ModelSection {
  std::string row, section;  // HTML
  std::string data;          // JSON
  bool trouble = false;      // it is worse than a constant answer, or something is off: it is named first
};

ModelSection model_section(const hosting::HostedModel& hosted, const WatchedModel& watched, const ReportTimes& times);

}  // namespace tarry::service
