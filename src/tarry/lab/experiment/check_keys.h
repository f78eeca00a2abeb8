// Whether an experiment's delays and learners can be made, as far as that can be told before any data is read.
#pragma once

#include "tarry/lab/plan/experiment.h"

namespace tarry::lab {

// Throws Error{kBadSpec} for an unknown key or an unknown type, as making the thing would. What depends on the stream
// is left for later.
void check_keys(const Experiment& experiment);

}  // namespace tarry::lab
