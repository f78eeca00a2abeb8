// A data set's rows one after another, to compare with what they must be.
#pragma once

#include "tarry/data/formats/dataset.h"

namespace tarry::data {

struct FlatRows {
  std::vector<std::size_t> begin{0};
  std::vector<Index> indices;
  Vec values;
};

inline FlatRows flat(const Dataset& data) {
  FlatRows rows;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    data.features(row).each([&](Index index, double value) {
      rows.indices.push_back(index);
      rows.values.push_back(value);
    });
    rows.begin.push_back(rows.indices.size());
  }
  return rows;
}

}  // namespace tarry::data
