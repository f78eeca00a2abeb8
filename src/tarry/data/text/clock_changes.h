// Nights on which clocks go back, in Europe and in America: local times without a zone come twice then.
#pragma once

#include <string>

namespace tarry::data {

// Whether a local time, in seconds since 1970 as if it were UTC, is in an hour that its day has twice: between 1 and 3
// on the last Sunday of October, between 1 and 2 on the first of November.
bool in_repeated_hour(double local);

std::string day_of_time(double seconds);  // 2024-10-27

}  // namespace tarry::data
