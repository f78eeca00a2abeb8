// Feedback at the times at which it came in the data.
#pragma once

#include <memory>

#include "tarry/data/formats/dataset.h"
#include "tarry/lab/delays/delays.h"

namespace tarry::lab {

using data::Dataset;

// Round t is row t − 1. A label is usable for the first query whose event time is strictly greater than the label's
// feedback time: one that becomes known at the very instant of a query is not used for it. Labels that come between
// two queries are in the order of their feedback times, then of their rows. Labels that no query follows never arrive.
// With `wait`, no label is used before its row's event time + wait: as if one waited for a window to close. Throws
// Error{kBadInput} where the data has no times. Keeps nothing of `data`.
std::unique_ptr<Delays> recorded_delays(const Dataset& data, double wait = 0);

// How long after their rows nine in ten of the labels that come have come, in the unit of the times; 0: none comes.
double wait_for_nine_in_ten(const Dataset& data);

}  // namespace tarry::lab
