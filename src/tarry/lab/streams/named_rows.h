// The rows of a stream by name, for models that take names.
#pragma once

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

bool has_names(const Stream& stream);

// A row of a stream that has names, into features whose memory is used again.
void write_named_row(const Stream& stream, std::size_t row, NamedFeatures& into);

}  // namespace tarry::lab
