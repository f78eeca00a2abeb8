// How late the labels of a table come, for people to read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

// In lines: "half of the labels came within 7.1 hours, 9 in 10 within 16 days, the last after 21 days; 24 labels never
// come, …", and where the labels of one class come later or sooner than the others, how late they are. `positive`: what
// +1 is called where it has a name.
std::vector<std::string> how_late(const Table& table, const std::optional<std::string>& positive);

// Of each class that has labels; none where labels are no classes or more than a table should have, or where the unit
// of the times is not known.
std::vector<ClassWaits> class_waits(const Table& table, const std::optional<std::string>& positive);

// The class whose labels differ most from the others in how late they come. Nothing where the data has no classes or no
// unit of time, or where no class is clearly later.
std::optional<LateClass> late_class(const Table& table, const std::optional<std::string>& positive);

// None where the unit of the times is not known.
WaitCounts wait_counts(const Table& table);

}  // namespace tarry::lab
