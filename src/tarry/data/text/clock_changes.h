// Nights on which clocks change, in Europe and in America: local times without a zone come twice then, or not at all.
#pragma once

#include <array>
#include <map>
#include <string>

namespace tarry::data {

// Whether a local time, in seconds since 1970 as if it were UTC, is in an hour that its day has twice: between 1 and 3
// on the last Sunday of October, between 1 and 2 on the first of November.
bool in_repeated_hour(double local);

// The times of nights in which clocks may go forward: the last Sunday of March, or the second.
class SpringNights {
 public:
  void add(double local);
  // The day of the first on which an hour is left out between two that are there: that of a clock that went forward.
  std::string skipped() const;  // empty: none

 private:
  static constexpr std::size_t kHours = 4;
  std::map<int, std::array<std::size_t, kHours>> nights_;  // by day since 1970: times in each of the first hours
};

std::string day_of_time(double seconds);  // 2024-10-27

}  // namespace tarry::data
