// The sets of this library, for the registry of sets: `polytope` and `matching`.
#pragma once

namespace tarry::oracles {

// Adds them, once, however often and from whichever thread it is called. Before the registry's first use, or it throws.
void add_sets();

}  // namespace tarry::oracles
