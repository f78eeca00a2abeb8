// Dates as people write them: 31/12/2024 14:30, 12/31/2024 2:30 PM, 31.12.2024, 2024/12/31. In most of them only the
// file as a whole, or its owner, knows whether the day or the month comes first.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarry::data {

enum class DateOrder : std::uint8_t { kNone, kDayFirst, kMonthFirst };

struct WrittenDate {
  int first = 0, second = 0;  // the day and the month, or the month and the day
  int year = 0;
  double time = 0;  // of the day, in seconds
};

// False for anything else, and for dates that do not exist in either order.
bool read_written_date(std::string_view cell, WrittenDate& date);

// Seconds since 1970-01-01 UTC; false for a date that does not exist in this order, and in none.
bool seconds_of(const WrittenDate& date, DateOrder order, double& seconds);

// As ISO 8601 has it, with slashes for its dashes, or as people write it in this order.
bool read_date(std::string_view cell, DateOrder order, double& seconds);

}  // namespace tarry::data
