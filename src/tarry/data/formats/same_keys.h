// Rows of a table that share a key are one round whose label was corrected: the first label that was known is the
// round's, the later ones take its place.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tarry::data {

struct SameKeys {
  // A row that corrects another one.
  struct Correction {
    std::size_t place;  // of the row that it corrects, among `rows`
    std::size_t row;    // where its label and its time are
  };
  std::vector<std::size_t> rows;        // that are rounds, in their order
  std::vector<Correction> corrections;  // in the order of their times
};

// `known`: when each row's label was; infinite: never. Rows without a key are rounds of their own. Of the rows of a key
// that were known at the same time, the first is the round; one whose label never came corrects nothing.
SameKeys same_keys(std::span<const std::string> keys, std::span<const double> known);

}  // namespace tarry::data
