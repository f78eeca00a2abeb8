// How good a run's predictions were, as JSON and back.
#pragma once

#include "tarry/lab/play/quality.h"
#include "tarry/spec/node.h"

namespace tarry::lab {

// {"calibration": [{"rounds", "predicted", "outcome", "error"}], "by_size": the same, "classes", "confusion",
// "weights":
// [{"name", "weight", "class"}]}; null where there is nothing to tell.
spec::Value quality_value(const Quality& quality);

Quality read_quality(const spec::Node& run);  // of the member "quality", where it is there

}  // namespace tarry::lab
