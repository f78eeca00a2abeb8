// Many rows as Python has them: a 2-dimensional array, a sparse matrix, a frame of pandas or polars, an Arrow table, or
// a list of anything that is a row.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "features.h"

namespace tarry::python {

// A column of pandas, polars or Arrow: its numbers as an array, in which NaN is missing (None where it has anything
// else, flags included), or all of it as a list.
nanobind::object numbers_in(nanobind::handle column);
nanobind::list list_of(nanobind::handle column);

class GivenRows {
 public:
  GivenRows(nanobind::handle given, const char* name, bool takes_names);

  std::size_t size() const { return size_; }
  // Whether view() touches no Python, so that others may run it meanwhile.
  bool plain() const { return list_.is_none() && words_ == 0; }
  // Whether threads may call it at the same time.
  bool shared() const { return list_.is_none() && columns_.empty(); }
  // Valid until the next call.
  FeaturesView view(std::size_t i);

 private:
  void read_list(nanobind::handle given);
  void read_array(nanobind::handle given);
  void read_sparse(nanobind::handle given);
  void read_frame(nanobind::handle given);
  void read_column(nanobind::handle column, std::string name);

  const char* name_;
  bool takes_names_;
  std::size_t size_ = 0, width_ = 0;
  std::span<const double> values_;
  std::span<const Index> starts_, indices_;  // of a sparse matrix
  bool sparse_ = false;
  nanobind::object list_ = nanobind::none();
  struct Column {
    nanobind::object kept;                           // an array of numbers, or a list
    std::optional<std::span<const double>> numbers;  // NaN: missing
  };
  std::vector<Column> columns_;
  std::size_t words_ = 0;  // columns that are lists
  nanobind::object kept_[3];
  GivenRow row_;
  NamedFeatures named_;  // of a frame: its columns' names, and the values of the last row looked at
  NamesId names_ = NamesId::kUnknown;
};

}  // namespace tarry::python
