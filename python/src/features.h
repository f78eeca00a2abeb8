// Features and gradients as Python has them: dicts, sequences, NumPy arrays, sparse rows of SciPy, rows of pandas.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "tarry/model/features_view.h"

namespace tarry::python {

// Names of the last row that a model was given, for the next one: its dict likely has the same keys, which then are not
// read again.
struct LastRow {
  NamedFeatures features;
  std::vector<nanobind::object> keys;  // texts; the features have their names, as far as there are keys
  NamesId names = NamesId::kUnknown;   // of the features
};

// One row, looked at where it lies if its numbers are float64 and contiguous. It must outlive its view.
class GivenRow {
 public:
  GivenRow() = default;
  // `last` is taken while the row lives; the interpreter's lock is needed at both ends.
  explicit GivenRow(LastRow& last) : last_(&last) {}
  ~GivenRow();
  GivenRow(const GivenRow&) = delete;
  GivenRow& operator=(const GivenRow&) = delete;

  // `name` begins messages. `takes_names`: whether an int key of a dict is a name, or else an index.
  void read(nanobind::handle given, const char* name, bool takes_names);
  void read_sparse(nanobind::handle indices, nanobind::handle values);

  FeaturesView view() const;
  const NamedFeatures* named() const { return is_named_ ? &named_ : nullptr; }
  Covector numbered() const { return numbered_; }

 private:
  void read_dict(nanobind::handle dict, const char* name, bool takes_names, bool nan_is_missing);
  void read_named(nanobind::handle dict, const char* name, bool nan_is_missing);
  bool is_name_again(std::size_t i, PyObject* key) const;
  bool is_number_again(std::size_t i, PyObject* value, bool nan_is_missing);
  bool read_name(std::size_t i, PyObject* key);
  void read_indexed(nanobind::handle dict, const char* name);
  void read_numbers(nanobind::handle given, const char* name);
  void look_at(nanobind::object array);

  bool is_named_ = false;
  LastRow* last_ = nullptr;
  NamedFeatures named_;
  std::vector<nanobind::object> keys_;  // of the first features, whose names are known from them
  NamesId names_ = NamesId::kUnknown;   // of named_
  Covector numbered_ = Covector::dense({});
  Vec values_;
  std::vector<Index> indices_;
  nanobind::object kept_values_, kept_indices_;  // the arrays that numbered_ looks at
};

// A value under a name. Throws TypeError.
FeatureValue to_feature(nanobind::handle given, const char* name, std::string_view key, bool nan_is_missing);

// A contiguous array of float64 or int64, a copy only where it must be; `dimensions` of them. Throws TypeError,
// ValueError.
nanobind::object contiguous(nanobind::handle given, const char* name, int dimensions, const char* type = "float64");
std::span<const double> reals_of(nanobind::handle array);
std::span<const Index> integers_of(nanobind::handle array);

// A new NumPy array.
nanobind::object to_array(Vec values);
nanobind::object to_array(std::span<const double> values);  // a copy

bool is_sparse(nanobind::handle given);
// As CSR with ascending indices, each once: a copy where it is not.
nanobind::object canonical_rows(nanobind::handle given, const char* name);

}  // namespace tarry::python
