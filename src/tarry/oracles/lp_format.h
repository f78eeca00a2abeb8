// The LP format: an objective, constraints and bounds as one would write them on paper.
//
//   Minimize  obj: x + 2 y
//   Subject To  c1: x + y <= 4   c2: -1 <= x - 3 y <= 1
//   Bounds  x <= 4   y free
//   End
//
// Read here, not by CoinUtils, which is linked for CLP: CoinLpIO of Debian 12 ends the program on a file that stops in
// the middle of a constraint (segmentation fault) or has a name of 5,000 letters (assertion), takes `x + y <= fuor` for
// a row, knows no double inequalities as in c2, and its errors name lines of its own source.
#pragma once

#include <string>
#include <string_view>

#include "tarry/oracles/linear_program.h"

namespace tarry::oracles {

// Columns in the order in which they are first named, the objective's included; x ≥ 0 unless bounds say otherwise.
// Throws Error{kBadInput} with `name` and the line of what is wrong, {kUnsupported} for sections of integer variables.
LinearProgram read_lp_format(std::string_view text, const std::string& name);

}  // namespace tarry::oracles
