// The stream `late_labels`: a file of which nothing is said but where it lies.
#pragma once

#include <optional>
#include <string>

#include "tarry/data/infer/late_labels.h"
#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

using data::LateLabels;
using data::LateLabelsKeys;

StreamEntry late_labels_entry();

// Of labels that turn out to be numbers, two classes, or more.
data::LossNames usual_losses();

// Finds what the columns of a stream's file are, with the questions that are open.
LateLabels looked_at(const spec::Node& node);
// The same, but questions are errors, as infer_late_labels has it.
LateLabels found_in(const spec::Node& node);

// The stream; `found`: what was found in its file (null: look).
Stream read_late_labels(const spec::Node& node, const LateLabels* found = nullptr);

}  // namespace tarry::lab
