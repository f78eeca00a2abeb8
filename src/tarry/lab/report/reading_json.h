// How the data of a stream was read, as the report shows it.
#pragma once

#include <optional>

#include "tarry/lab/streams/stream.h"
#include "tarry/spec/value.h"

namespace tarry::lab {

// {"stream", "read_as", "by_class", "columns", "label", "waits": {"edges", "counts"}}
spec::Value reading_value(const Reading& reading);
spec::Value waits_value(const std::optional<Waits>& waits);

}  // namespace tarry::lab
