// Short decimals, which most numbers of a table are: up to 15 digits, perhaps a sign and a point. A whole number below
// 10^15 and a power of ten up to 10^15 are doubles, and one division rounds as a correct reading of the digits does.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tarry::data {

// Whether the text is such a number. Of any other, nothing is said: std::from_chars knows more of them.
inline bool read_short_number(std::string_view text, double& number) {
  constexpr int kMostDigits = 15;
  static constexpr std::array<double, kMostDigits + 1> kPowers = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char *at = text.data(), *const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  if (end - at > kMostDigits + 1) return false;
  std::uint64_t digits = 0;
  const char* const first = at;
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned>(*at) - '0';
    if (digit > 9) break;
    digits = 10 * digits + digit;
  }
  auto count = at - first;
  std::ptrdiff_t behind = 0;
  if (at != end && *at == '.') {
    const char* const point = ++at;
    for (; at != end; ++at) {
      const auto digit = static_cast<unsigned>(*at) - '0';
      if (digit > 9) return false;
      digits = 10 * digits + digit;
    }
    behind = at - point;
    count += behind;
  }
  if (at != end || count == 0 || count > kMostDigits) return false;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(digits));
  const double size = behind == 0 ? whole : whole / kPowers[static_cast<std::size_t>(behind)];
  number = negative ? -size : size;
  return true;
}

}  // namespace tarry::data
