// What constructors of sets check, in one wording.
#pragma once

#include <string_view>

#include "tarry/linalg/covector.h"

namespace tarry {

// Throw Error{kBadSpec}: "simplex: radius must be positive (radius = -2)".
void check_positive(std::string_view who, std::string_view key, double value);
void check_not_empty(std::string_view who, std::string_view key, std::size_t size);
void check_at_least(std::string_view who, std::string_view key, double value, double least);
void check_count(std::string_view who, std::string_view key, Index value, Index low, Index high);
void check_dimension(std::string_view who, Index dimension);
void check_matrix(std::string_view who, Index rows, Index cols);
void check_side(std::string_view who, Index side);  // of a square matrix, its key `dimension`

}  // namespace tarry
