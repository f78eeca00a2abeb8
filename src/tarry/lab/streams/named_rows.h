// The rows of a stream by name, for models that take names.
#pragma once

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

bool has_names(const Stream& stream);
NamedFeatures named_row(const Stream& stream, std::size_t row);  // of a stream that has names

}  // namespace tarry::lab
