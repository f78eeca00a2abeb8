// A table from its first byte to how it is read: encoding, shape, columns, roles.
#pragma once

#include "tarry/data/infer/late_labels.h"

namespace tarry::data {

// With the questions that are open; one pass, and one over the labels where rows without a feedback time have some.
// Throws Error{kBadInput} for what cannot be read at all.
LateLabels look_at_table(const std::string& file, const OpenLines& open, const LateLabelsKeys& keys,
                         std::optional<char> delimiter);

}  // namespace tarry::data
