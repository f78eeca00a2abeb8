// The number of the arithmetic. It is raised whenever the same events may give other bits: other decisions, other
// replies, or another state. Logs and snapshots carry it, so that a fold is only ever compared with one of the same
// number. tests/golden/arithmetic_test.cpp plays fixed games and fails where bits change and the number does not.
#pragma once

#include <cstdint>

namespace tarry {

inline constexpr std::uint64_t kArithmetic = 8;
inline constexpr std::uint64_t kArithmeticUnknown = 0;  // of what was written before there were numbers

}  // namespace tarry
