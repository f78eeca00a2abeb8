// What a model that chooses answers, as Python sees it.
#pragma once

#include "held_model.h"

namespace tarry::python {

void bind_choice(nanobind::module_& m, nanobind::class_<HeldModel>& model);

}  // namespace tarry::python
