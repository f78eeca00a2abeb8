// A data set from an ARFF stream of events. A line whose label is ? is a query: its features are known, its label is
// not. The later line with the same id brings the label. Files of this kind: Grzenda, Gomes and Bifet, "Delayed
// labelling evaluation for data streams" (2020).
#pragma once

#include <optional>
#include <string>

#include "tarry/data/formats/dataset.h"
#include "tarry/data/formats/reader_options.h"

namespace tarry::data {

struct ArffOptions {
  std::string label;                    // the attribute to predict
  std::string id;                       // the attribute that joins a label to its query
  std::string time;                     // the attribute that must not go backwards; "": none
  std::optional<std::string> positive;  // the word whose label is +1, others are −1; needed by a nominal label
  Divisors divide;                      // by which numeric features are divided
  bool intercept = true;                // the last feature is the constant 1
  bool names = false;                   // also keep the rows by name
  bool over_classes = false;            // a nominal label is the place of its word
  AsLabel as_label;
};

ArffOptions arff_options(const spec::Node& node);  // without as_label

// One row a query. Every attribute other than label, id and time is a feature, in the order of their declarations: a
// number is one, a nominal attribute is one slot for each of its words. Times are places in the file, 0, 1, 2 …: the
// file's order is the order of events. A query that is never answered has the label NaN. Throws Error{kBadInput}, which
// names the file and the line.
Dataset read_arff(TextLines& lines, const ArffOptions& options);

}  // namespace tarry::data
