// Linear programs in specifications: `rows` with their bounds, and bounds for the coordinates.
#pragma once

#include "tarry/oracles/linear_program.h"
#include "tarry/spec/node.h"

namespace tarry::oracles {

LinearProgram read_rows(const spec::Node& node);

}  // namespace tarry::oracles
