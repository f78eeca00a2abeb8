// The curves of a model's numbers, as every page and program gets them.
#pragma once

#include <vector>

#include "tarry/model/model.h"
#include "tarry/spec/value.h"

namespace tarry {

// An array of {name, unit, whole, at, effect}.
spec::Value to_value(const std::vector<Model::Curve>& curves);

}  // namespace tarry
