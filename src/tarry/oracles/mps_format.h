// The MPS format, free or fixed: sections ROWS, COLUMNS, RHS, RANGES and BOUNDS.
//
// Read here, not by CLP: its reader writes outside its buffers when a file is damaged.
#pragma once

#include <string>
#include <string_view>

#include "tarry/oracles/linear_program.h"

namespace tarry::oracles {

// Columns in the order of the file; 0 ≤ x unless BOUNDS say otherwise. Fields are divided by blanks, so that names have
// none. Throws Error{kBadInput} with `name` and the line of what is wrong, {kUnsupported} for integer variables.
LinearProgram read_mps_format(std::string_view text, const std::string& name);

}  // namespace tarry::oracles
