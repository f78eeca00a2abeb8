// Which column is to be predicted, or which difference of two.
#pragma once

#include "tarry/data/infer/find_times.h"

namespace tarry::data {

struct FoundLabel {
  const ColumnProfile* column = nullptr;
  Difference difference = {};
  bool by_place = false;  // it is the last column, whatever its name

  bool said() const { return column != nullptr || difference.later != nullptr; }
};

// What the key `label` says: a column, or "dropoff - pickup", in which a word may stand for the only time that has it.
FoundLabel said_label(const CsvProfile& profile, const LateLabelsKeys& keys, const Questions& questions);

// Where the key says nothing: by its name; else the only column that is written at the end, sounds like an outcome, or
// is missing where the feedback time is; else the last. What is not clear becomes a question.
FoundLabel find_label(const CsvProfile& profile, const LateLabelsKeys& keys, const FoundTimes& times,
                      Questions& questions);

}  // namespace tarry::data
