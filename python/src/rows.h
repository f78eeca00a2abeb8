// Many rows as Python has them: a 2-dimensional array, a sparse matrix, a frame, or a list of anything that is a row.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "features.h"

namespace tarry::python {

class GivenRows {
 public:
  GivenRows(nanobind::handle given, const char* name, bool takes_names);

  std::size_t size() const { return size_; }
  // Whether view() touches no Python, so that others may run it meanwhile.
  bool plain() const { return list_.is_none() && columns_.empty(); }
  // Valid until the next call.
  FeaturesView view(std::size_t i);

 private:
  void read_list(nanobind::handle given);
  void read_array(nanobind::handle given);
  void read_sparse(nanobind::handle given);
  void read_frame(nanobind::handle given);

  const char* name_;
  bool takes_names_;
  std::size_t size_ = 0, width_ = 0;
  std::span<const double> values_;
  std::span<const Index> starts_, indices_;  // of a sparse matrix
  bool sparse_ = false;
  nanobind::object list_ = nanobind::none();
  struct Column {
    std::string name;
    nanobind::list values;
  };
  std::vector<Column> columns_;
  nanobind::object kept_[3];
  GivenRow row_;
  NamedFeatures named_;
};

}  // namespace tarry::python
