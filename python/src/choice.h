// What a model that chooses answers, as Python sees it.
#pragma once

#include "held_model.h"

namespace tarry::python {

// `shown` of a reward: an id, or a dict with id, probability and features.
ShownLater to_shown(nanobind::handle given);
void bind_choice(nanobind::module_& m, nanobind::class_<HeldModel>& model);

}  // namespace tarry::python
