// How long the unit of a column of times is, where its name or its size says so.
#pragma once

#include "tarry/data/infer/csv_profile.h"

namespace tarry::data {

// In seconds; 0: not known. Dates are read as seconds.
double time_unit(const ColumnProfile& column);

// The unit in which numbers between these are times since 1970; 0: none.
double epoch_unit(double least, double most);

// Numbers that are seconds since 1970 of the years 1990 to 2100, or milli-, micro- or nanoseconds.
bool is_epoch(const ColumnProfile& column);

}  // namespace tarry::data
