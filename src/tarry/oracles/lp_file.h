// Linear programs in files: MPS (fixed or free), or the LP format where the name ends in .lp.
#pragma once

#include <string>

#include "tarry/oracles/linear_program.h"

namespace tarry::oracles {

// The rows and bounds; the file's own objective is left aside. Throws Error{kBadInput} with the line of what is wrong,
// or when the file cannot be read, {kUnsupported} for one with integer variables.
LinearProgram read_lp_file(const std::string& path);

}  // namespace tarry::oracles
