// Streams that are read from files.
#pragma once

#include <vector>

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

std::vector<StreamEntry> file_stream_entries();

}  // namespace tarry::lab
