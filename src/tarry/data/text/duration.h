// A length of time as people say it.
#pragma once

#include <string>
#include <string_view>

namespace tarry::data {

// "45 seconds", "12 minutes", "5.3 hours", "16 days": about two digits, in the unit that suits.
std::string spoken_duration(double seconds);

// "3 days", "90 minutes", "1 week", "12h": false for anything else, and for what is not positive.
bool read_duration(std::string_view text, double& seconds);

// How a cell is a length of time: 00:23:11 (hours, minutes, seconds), 2h 15m, 1 day 4 hours. One part alone, such as
// 45m, may be another unit: only its neighbours in the column tell.
struct LengthCell {
  bool is_length = false, plainly = false;
};
LengthCell read_length(std::string_view text, double& seconds);

// The unit in which lengths of about this are best told.
struct DurationUnit {
  const char* name;  // "minutes"
  double seconds;
};
DurationUnit suitable_unit(double seconds);

}  // namespace tarry::data
