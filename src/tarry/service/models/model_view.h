// What a model's page shows beside its curves: its decision or its largest weights, the rounds that have waited
// longest, what is known about waiting, what it was made from and what that costs.
#pragma once

#include <cstdint>
#include <string>

#include "tarry/service/models/served.h"

namespace tarry::service {

// On the model's lane.
std::string model_view_json(Served& served, std::int64_t now_ms);
// How good it is as far as is known, and what has changed: {"model", "quality", "drift"}, the same as in the view.
std::string model_quality_json(Served& served, std::int64_t now_ms);

}  // namespace tarry::service
