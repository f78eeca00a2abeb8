// The stream `csv`: a table whose columns are given, or found in the file.
#pragma once

#include "tarry/data/infer/late_labels.h"
#include "tarry/data/text/table_shape.h"
#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

using data::LateLabels;

StreamEntry csv_entry();

// Of labels that turn out to be numbers, two classes, or more.
data::LossNames usual_losses();

// Whether this is a table whose columns are to be found.
bool finds_columns(const spec::Node& node);

// Finds what they are, with the questions that are open. `open`: a table that is in no file; empty: the key `path`.
LateLabels looked_at(const spec::Node& node, const data::OpenLines& open = {});

// The stream; `found`: what was found in its file (null: look, where columns are not said).
Stream read_csv_stream(const spec::Node& node, const LateLabels* found = nullptr, const data::OpenLines& open = {});

}  // namespace tarry::lab
