// Dates and times of day as ISO 8601 writes them.
#pragma once

#include <string_view>

namespace tarry::data {

// 2024-03-01, 2024-03-01T12:30, 2024-03-01 12:30:15.25Z, …+02:00 or +0200: seconds since 1970-01-01 UTC. Without a zone
// it is UTC. False for anything else, and for dates that do not exist.
bool read_iso_time(std::string_view text, double& seconds);

// The seconds at which a day begins; false for one that does not exist.
bool day_of(int year, int month, int day, double& seconds);

}  // namespace tarry::data
