// Streams of ratings: from a file, or made up by a low-rank rule.
#pragma once

#include <vector>

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

std::vector<StreamEntry> ratings_stream_entries();

}  // namespace tarry::lab
