// Builds a data set row by row.
#pragma once

#include <limits>
#include <span>
#include <utility>

#include "tarry/data/formats/dataset.h"

namespace tarry::data {

// Of a row whose label is not known: its label, and its feedback time.
inline constexpr double kUnknownLabel = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kNeverKnown = std::numeric_limits<double>::infinity();
// Of a row whose label is due at an unknown time.
inline constexpr double kNotDue = std::numeric_limits<double>::quiet_NaN();

class DatasetBuilder {
 public:
  // An entry of the row under way, in any order: entries of one index add up, and zeros are not stored.
  void add(Index index, double value) { row_.push_back({index, value, false}); }
  // The same, but a zero is stored, too: where it is not, it is missing.
  void add_number(Index index, double value) { row_.push_back({index, value, true}); }
  // The same row by name, for models that give names their slots: either for every row or for none.
  void add_named(const std::string& name, FeatureValue value) { named().add(named().name(name), std::move(value)); }
  NamedRows& named() {
    has_names_ = true;
    while (data_.named.size() < data_.rows()) data_.named.end_row();  // rows that had no names
    return data_.named;
  }
  void end_row(double label);
  void end_row(double label, double event_time, double feedback_time);

  std::size_t rows() const { return data_.rows(); }
  Dataset take(Index dimension);

 private:
  struct Entry {
    Index index;
    double value;
    bool stored;  // even if it is 0
  };

  bool add_ascending();
  void add_summed();

  Dataset data_;
  std::vector<Entry> row_;
  bool has_names_ = false;
};

// The given rows in the given order.
Dataset in_order(const Dataset& data, std::span<const std::size_t> rows);

// The same with one more feature, the last, which is the constant 1.
Dataset with_intercept(const Dataset& data);

}  // namespace tarry::data
