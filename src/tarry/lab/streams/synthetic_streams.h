// Streams that are made up: adversaries over the raw decision, and rows of a known rule.
#pragma once

#include <vector>

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

std::vector<StreamEntry> synthetic_stream_entries();

}  // namespace tarry::lab
