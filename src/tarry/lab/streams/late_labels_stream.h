// The stream `late_labels`: a file of which nothing is said but where it lies.
#pragma once

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

StreamEntry late_labels_entry();

}  // namespace tarry::lab
