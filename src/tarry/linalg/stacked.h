// The features of several outputs: the same row once for each, in blocks of the decision that follow one another.
#pragma once

#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

class Stacked {
 public:
  Stacked(const Covector& row, std::size_t outputs, Index block) : outputs_(outputs) {
    for (std::size_t k = 0; k < outputs; ++k)
      row.each([&](Index i, double value) {
        indices_.push_back(static_cast<Index>(k) * block + i);
        values_.push_back(value);
      });
  }
  Covector view() const { return Covector::sparse(indices_, values_).with_outputs(outputs_); }

 private:
  std::size_t outputs_;
  std::vector<Index> indices_;
  Vec values_;
};

}  // namespace tarry
