// Dates as people write them: 31/12/2024 14:30, 12/31/2024 2:30 PM, 31.12.2024, 31.12.24, 2024/12/31, 28-Jan-2024,
// Jan 28 2024 3:05 PM, 28. Januar 2024. Where days and months are both numbers, only the file as a whole, or its owner,
// knows which comes first.
#pragma once

#include <cstdint>
#include <string_view>

#include "tarry/data/text/iso_time.h"

namespace tarry::data {

enum class DateOrder : std::uint8_t { kNone, kDayFirst, kMonthFirst };

struct WrittenDate {
  int first = 0, second = 0;  // the day and the month, or the month and the day
  int year = 0;
  bool dotted = false;        // 31.12.2024: nobody writes the month first then
  bool like_version = false;  // 4.3.24, which a program's version may be, too
  TimeCell time = {};         // of the day: its seconds count from midnight
};

// False for anything else, and for dates that do not exist in either order.
bool read_written_date(std::string_view cell, WrittenDate& date);

// False for a date that does not exist in this order, and in none.
bool time_of(const WrittenDate& date, DateOrder order, TimeCell& time);

// As ISO 8601 has it, with slashes or dots for its dashes, with the month's name, or as people write it in this order.
bool read_time_cell(std::string_view cell, DateOrder order, TimeCell& time);
bool read_date(std::string_view cell, DateOrder order, double& seconds);

// 20240131 and 20240131235959, which are numbers, too.
bool read_compact_date(std::string_view cell, TimeCell& time);

}  // namespace tarry::data
