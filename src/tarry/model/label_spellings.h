// The ways to write one label: `true` and 1 are the same answer where a model reads both as a number, and a class may
// be called by a number or by its name.
#pragma once

#include <vector>

#include "tarry/model/event.h"
#include "tarry/model/model.h"

namespace tarry {

// Labels that this model reads alike: the given one first, then those that clients may write instead.
std::vector<LabelValue> label_spellings(const Model& model, const LabelValue& label);

}  // namespace tarry
