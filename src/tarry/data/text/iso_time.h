// Dates and times of day as ISO 8601 writes them.
#pragma once

#include <string_view>

#include "tarry/data/text/taking.h"

namespace tarry::data {

// A point in time as a cell has it.
struct TimeCell {
  double seconds = 0;     // since 1970-01-01 UTC; without a zone, as if it were UTC
  bool has_time = false;  // of day: otherwise it is a whole day, which begins at `seconds`
  bool zoned = false;     // says its zone, which is
  double zone = 0;        // so many seconds ahead of UTC
};

// 2024-03-01, 2024-03-01T12:30, 2024-03-01 12:30:15.25Z, …+02:00, …+0200 or … UTC; 20240301T123015Z; 2024-W05-3. False
// for anything else, and for dates that do not exist.
bool read_iso_time(std::string_view text, TimeCell& time);
bool read_iso_time(std::string_view text, double& seconds);

// The seconds at which a day begins; false for one that does not exist.
bool day_of(int year, int month, int day, double& seconds);

// What may follow a date: 14:30, 14:30:15.5, at 2:30 PM, 14:30 Uhr, then a zone; all of it may be missing.
void take_time(Taking& text, TimeCell& time);

}  // namespace tarry::data
