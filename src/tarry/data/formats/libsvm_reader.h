// A data set from LIBSVM's text format: `label index:value index:value …`, indices from 1 and ascending.
#pragma once

#include <cstdint>
#include <optional>

#include "tarry/data/formats/dataset.h"
#include "tarry/data/formats/reader_options.h"

namespace tarry::data {

struct LibsvmOptions {
  Index dimension = 0;                   // without the intercept; 0: the largest index among the rows that are read
  bool intercept = true;                 // one more feature, the last, which is the constant 1
  std::optional<std::uint64_t> shuffle;  // the seed of a permutation of the rows
  std::size_t limit = 0;                 // rows, in the order of the data set; 0: all
  AsLabel as_label;
};

LibsvmOptions libsvm_options(const spec::Node& node);  // without as_label

// Text after a # is a comment. Throws Error{kBadInput}, which names the file and the line.
Dataset read_libsvm(TextLines& lines, const LibsvmOptions& options);

// Rows 0 … count − 1 in the order that `seed` draws, each order equally likely.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

}  // namespace tarry::data
