// The cheapest assignment of rows to columns (Jonker and Volgenant 1987), in O(n³).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tarry {

// The column of each row, for n × n costs, row-major.
std::vector<std::uint32_t> cheapest_assignment(std::span<const double> costs, std::size_t n);

}  // namespace tarry
