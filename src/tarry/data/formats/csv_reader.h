// A data set from comma-separated text with a header: numeric columns first, then hashed words, then the intercept.
#pragma once

#include "tarry/data/formats/csv_options.h"
#include "tarry/data/formats/dataset.h"

namespace tarry::data {

void refuse_width(std::size_t cells, std::size_t header, const Place& place);

// Throws Error{kBadInput}, which names the file and the line. A label whose feedback never comes may be missing: then
// it is NaN.
Dataset read_csv(TextLines& lines, const CsvOptions& options);

}  // namespace tarry::data
