// The stream `log`: a recorded history (tarry-replay/2) to be played again with other learners, under the delays that
// happened.
#pragma once

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

StreamEntry log_entry();

}  // namespace tarry::lab
