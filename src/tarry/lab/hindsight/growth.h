// How a quantity grows with the number of rounds.
#pragma once

#include <optional>
#include <span>

namespace tarry::lab {

// The least-squares slope of ln value against ln round, over the points with a positive value; nothing with fewer than
// three of them.
std::optional<double> fitted_exponent(std::span<const double> rounds, std::span<const double> values);

}  // namespace tarry::lab
