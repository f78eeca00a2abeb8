// What each file of streams adds to the registry.
#pragma once

#include <vector>

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

std::vector<StreamEntry> synthetic_stream_entries();  // adversaries over the raw decision, and rows of a known rule
std::vector<StreamEntry> file_stream_entries();       // rows of files other than tables
std::vector<StreamEntry> ratings_stream_entries();    // of a file, or made up by a low-rank rule
// A recorded history (tarry-replay/2) to be played again with other learners, under the delays that happened.
StreamEntry log_entry();
StreamEntry logged_entry();

}  // namespace tarry::lab
