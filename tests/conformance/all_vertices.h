// Every vertex of a small polytope, from its specification alone: subsets of edges, corners, systems of equations.
#pragma once

#include <optional>
#include <vector>

#include "tarry/linalg/covector.h"
#include "tarry/spec/node.h"

namespace tarry::conformance {

// Nothing for a type that is not listed here, or when there would be too many to try.
std::optional<std::vector<Vec>> all_vertices(const spec::Node& set);

}  // namespace tarry::conformance
