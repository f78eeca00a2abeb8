// How late the labels of each class come, by what is recorded in the data, and whether those of one class come later
// than the others: told to people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

// Of each class that has labels; none where labels are no classes or more than a table should have, or where the unit
// of the times is not known. `positive`: what +1 is called where it has a name.
std::vector<ClassWaits> class_waits(const Table& table, const std::optional<std::string>& positive);

// The class whose labels differ most from the others in how late they come.
struct LateClass {
  std::size_t number = 0;       // among the loss's classes
  double half = 0, others = 0;  // within so many seconds half of its labels have come, and half of the others
};

// Nothing where the data has no classes or no unit of time, or where none stands out.
std::optional<LateClass> late_class(const Table& table);

// "labels of "yes" come later: half of them within 42 hours, of the others within 12 hours"
std::string spoken(const LateClass& late, const Table& table, const std::optional<std::string>& positive);

}  // namespace tarry::lab
