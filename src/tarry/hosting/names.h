// What models and tokens may be called: safe in addresses, files and metrics.
#pragma once

#include <algorithm>
#include <string_view>

namespace tarry::hosting {

inline constexpr std::size_t kLongestModelName = 64;
inline constexpr std::string_view kNameRule = "1 to 64 of a-z, 0-9, _ and -";

inline bool is_name(std::string_view name) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  return !name.empty() && name.size() <= kLongestModelName && std::all_of(name.begin(), name.end(), allowed);
}

}  // namespace tarry::hosting
