// The stream `late_labels`: a file of which nothing is said but where it lies.
#pragma once

#include <optional>
#include <string>

#include "tarry/data/infer/late_labels.h"
#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

StreamEntry late_labels_entry();

LateLabelsKeys late_labels_keys(const spec::Node& node);

// Finds what the file's columns are: one pass. Throws as infer_late_labels does.
LateLabels found_in(const std::string& path, const LateLabelsKeys& keys, std::optional<char> delimiter = std::nullopt);

}  // namespace tarry::lab
