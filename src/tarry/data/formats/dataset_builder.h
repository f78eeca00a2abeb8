// Builds a data set row by row.
#pragma once

#include <span>
#include <utility>

#include "tarry/data/formats/dataset.h"

namespace tarry::lab {

class DatasetBuilder {
 public:
  // An entry of the row under way, in any order: entries of one index add up, and zeros are not stored.
  void add(Index index, double value) { row_.emplace_back(index, value); }
  // The same row by name, for models that give names their slots: either for every row or for none.
  void add_named(std::string name, FeatureValue value) { named_.push_back({std::move(name), std::move(value)}); }
  void end_row(double label);
  void end_row(double label, double event_time, double feedback_time);

  std::size_t rows() const { return data_.rows(); }
  Dataset take(Index dimension);

 private:
  Dataset data_;
  std::vector<std::pair<Index, double>> row_;
  NamedFeatures named_;
};

// The given rows in the given order.
Dataset in_order(const Dataset& data, std::span<const std::size_t> rows);

// The same with one more feature, the last, which is the constant 1.
Dataset with_intercept(const Dataset& data);

}  // namespace tarry::lab
