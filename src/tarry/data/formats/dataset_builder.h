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
  void add(Index index, double value) {
    if (value != 0) push(index, value, false);
  }
  // The same, but a zero is stored, too: where it is not, it is missing.
  void add_number(Index index, double value) { push(index, value, true); }
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
  // The rows so far are about this share of all (0: not known): makes room for the others, once there are many.
  void expect(double share);
  Dataset take(Index dimension);

 private:
  struct Entry {
    Index index;
    double value;
    bool stored;  // even if it is 0
  };

  void push(Index index, double value, bool stored) {
    ascending_ = ascending_ && index > last_;
    last_ = index;
    data_.sparse.add(index, 0 + value);  // as a sum: −0 is 0
    stored_.push_back(stored ? 1 : 0);
  }
  void sum_up();

  Dataset data_;
  Index last_ = -1;        // index of the row under way, and …
  bool ascending_ = true;  // … whether its entries come in ascending order, each once, as those of most files do
  std::vector<std::uint8_t> stored_;  // of each of them: even if it is 0
  std::vector<Entry> row_;
  bool has_names_ = false;
};

// The given rows in the given order.
Dataset in_order(const Dataset& data, std::span<const std::size_t> rows);

// The same with one more feature, the last, which is the constant 1.
Dataset with_intercept(Dataset data);

}  // namespace tarry::data
