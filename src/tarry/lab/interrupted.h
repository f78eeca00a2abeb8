// Thrown when a `stop` was set: not an error of the run.
#pragma once

namespace tarry::lab {

struct Interrupted {};

}  // namespace tarry::lab
