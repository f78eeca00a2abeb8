// Numbers, times and texts as a report's page writes them: short, in UTC, and safe inside HTML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarry::service {

std::string html_text(std::string_view text);  // with & < > " escaped, and no break before %
std::string count_text(double count);          // 12,345
std::string number_text(double x);             // 0.4321; a dash where it is not known
std::string percent_text(double share);        // 43 %
std::string day_and_time(std::int64_t ms);     // 2026-11-18 14:05
std::string_view plural_s(double count);       // "" of one, "s" of more

}  // namespace tarry::service
