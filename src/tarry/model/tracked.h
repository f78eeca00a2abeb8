// A model's key `tracked`: how many rounds may wait at once, as a number, or with the seed of what is kept.
#pragma once

#include <optional>

#include "tarry/ledger/tracking.h"
#include "tarry/spec/node.h"

namespace tarry {

Tracked read_tracked(const spec::Node& given);
spec::Value to_value(const Tracked& tracked);

}  // namespace tarry
