// What the cells of a column are to a learner: numbers, words, text, or lists of words.
#pragma once

#include <string>

#include "tarry/data/infer/csv_profile.h"

namespace tarry::data {

enum class Kind : std::uint8_t { kEmpty, kTime, kNumber, kWords, kText, kSet };

struct ColumnKind {
  Kind kind = Kind::kEmpty;
  char between = 0;  // the elements of a set

  const char* name() const;
};

// From its cells alone; many different cells of several words are text, and cells whose parts come again and again
// are sets.
ColumnKind kind_of(const CsvProfile& profile, const ColumnProfile& column);

}  // namespace tarry::data
