// Price relatives: comma-separated text, one row a day, one column an asset, each the day's price over that of the day
// before.
#pragma once

#include "tarry/data/formats/dataset.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {

// Every row holds all columns; labels are 0. The first line is a header when no cell of it is a number. Throws
// Error{kBadInput}, which names the file and the line.
Dataset read_relatives(TextLines& lines);

}  // namespace tarry::data
