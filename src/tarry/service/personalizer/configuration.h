// Personalizer's service configuration, and the model's specification that says the same.
#pragma once

#include <string>
#include <string_view>

#include "tarry/spec/value.h"

namespace tarry::service::personalizer {

// A model that chooses, with rewards that are numbers: rewardWaitTime and defaultReward are its `expiry`,
// rewardAggregation its `labels`, explorationPercentage its `explore`. Throws Rejection for what has no counterpart.
spec::Value specification_of(const spec::Value& configuration);

// The other way, as JSON; what the model has no number for is left out.
std::string configuration_of(std::string_view spec_json);

// ISO 8601, as "PT10M" or "P2DT12H". Throws Error{kBadInput}.
double read_duration(const std::string& text);
std::string duration_text(double seconds);

}  // namespace tarry::service::personalizer
