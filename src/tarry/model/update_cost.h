// What a learner costs by its specification, before it is made: how much it keeps from the start, and what a round's
// update does, in words.
#pragma once

#include <optional>
#include <string>

#include "tarry/sets/any_set.h"
#include "tarry/spec/value.h"

namespace tarry {

// How many coordinates have their numbers in memory before anything was played; the others cost nothing until touched.
Index coordinates_kept(const spec::Value& learner, const AnySet& set);

// "one oracle call and a pass over 3 coordinates"; nothing for a learner whose entry does not say. `what` comes
// with a round: "the features' non-zeros".
std::optional<std::string> update_cost(const spec::Value& learner, const AnySet& set, const std::string& what);

}  // namespace tarry
