// What a model's page shows beside its curves: its decision or its largest weights, the rounds that have waited
// longest, what is known about waiting, what it was made from and what that costs.
#pragma once

#include <cstdint>
#include <string>

#include "tarry/service/models/served.h"

namespace tarry::service {

// On the model's lane.
std::string model_view_json(Served& served, std::int64_t now_ms);

}  // namespace tarry::service
