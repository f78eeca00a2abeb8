// Whether labels of one class come later than the others, by what is recorded in the data: said to people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

// The class whose labels differ most from the others in how late they come.
struct LateClass {
  std::size_t number = 0;          // among the loss's classes
  double half = 0, others = 0;     // within so many seconds half of its labels have come, and half of the others
  std::size_t labels = 0, of = 0;  // how many it has, of all that came
};

// Nothing where the data has no classes or no unit of time, or where none stands out.
std::optional<LateClass> late_class(const Stream& stream);

// "labels of "yes" come later: half of them within 30 hours, of the others within 14 hours"; `positive`: what +1 is
// called where it has a name.
std::string spoken(const LateClass& late, const Stream& stream, const std::optional<std::string>& positive);

}  // namespace tarry::lab
