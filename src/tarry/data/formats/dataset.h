// A data set in memory: sparse rows with a label and, where the data has them, the times at which a row's features and
// its label became known.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tarry/data/formats/named_rows.h"
#include "tarry/data/formats/sparse_rows.h"
#include "tarry/linalg/covector.h"

namespace tarry::data {

// A label that takes the place of its row's.
struct Corrected {
  std::size_t row = 0;
  double time = 0;  // when it was known
  double label = 0;
};

struct Dataset {
  Index dimension = 0;
  SparseRows sparse;
  Index numbers = 0;  // the first so many features are numbers: one that a row lacks is missing, not 0
  NamedRows named;    // the rows by name, where they were asked for: then, if they can be numbered, these
                      // are all there is of them
  std::vector<std::string> classes;  // what the labels 0, 1, 2 … are called, where they have names
  Vec labels;                        // NaN where it was never known: then the feedback time is infinite
  Vec event_time;                    // when the features were known, never decreasing; empty when the data has no times
  Vec feedback_time;                 // when the label was known, never before its row's event; infinite: never
  Vec due_time;                      // when the label is due, or expected; NaN: not known. Empty: of no row
  std::vector<Corrected> corrected;  // labels that changed, in the order of their times
  double time_unit = 0;              // of all times, in seconds; 0: not known
  std::size_t without_time = 0;      // rows with a label but no time at which it was known: it counts as never known

  std::vector<std::string> told;    // what people should know of how it was read
  std::vector<std::size_t> origin;  // which row of the file each was, from 0, where they were put in order; else empty

  std::size_t rows() const { return labels.size(); }
  // A row as numbers; where it has to be made of a row by name, `made` has it.
  struct Made {
    std::vector<Index> indices;
    Vec values;
  };
  Covector features(std::size_t row, Made& made) const {
    if (!named.numbered()) return features(row);
    named.write(row, made.indices, made.values);
    return Covector::sparse(made.indices, made.values);
  }
  // The same of data that is not kept by name.
  Covector features(std::size_t row) const { return sparse[row]; }
  bool has_times() const { return !event_time.empty(); }
  // A time in seconds; in its own unit where that is not known.
  double seconds(double time) const { return time_unit > 0 ? time * time_unit : time; }
};

}  // namespace tarry::data
