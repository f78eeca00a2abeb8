#include "rows.h"

#include "errors.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

bool is_frame(nb::handle given) { return nb::hasattr(given, "columns") && nb::hasattr(given, "to_numpy"); }

}  // namespace

GivenRows::GivenRows(nb::handle given, const char* name, bool takes_names) : name_(name), takes_names_(takes_names) {
  if (given.is_none() || PyUnicode_Check(given.ptr()) || PyDict_Check(given.ptr()))
    throw_type_error(std::string(name) + " must be rows: an array, a frame or a list (" + kind_of(given) + " came)");
  const bool sequence = PyList_Check(given.ptr()) || PyTuple_Check(given.ptr());
  if (is_sparse(given))
    read_sparse(given);
  else if (is_frame(given) && takes_names)
    read_frame(given);
  else if (sequence || (!nb::hasattr(given, "__array__") && nb::hasattr(given, "__iter__")))
    read_list(given);
  else
    read_array(is_frame(given) ? nb::object(given.attr("to_numpy")()) : nb::borrow(given));
}

void GivenRows::read_list(nb::handle given) {
  list_ = nb::list(nb::borrow(given));
  size_ = nb::len(list_);
}

void GivenRows::read_array(nb::handle given) {
  kept_[0] = contiguous(given, name_, 2);
  values_ = reals_of(kept_[0]);
  const auto shape = nb::cast<nb::tuple>(kept_[0].attr("shape"));
  size_ = nb::cast<std::size_t>(shape[0]);
  width_ = nb::cast<std::size_t>(shape[1]);
}

void GivenRows::read_sparse(nb::handle given) {
  const nb::object rows = canonical_rows(given, name_);
  sparse_ = true;
  kept_[0] = contiguous(rows.attr("data"), name_, 1);
  kept_[1] = contiguous(rows.attr("indptr"), name_, 1, "int64");
  kept_[2] = contiguous(rows.attr("indices"), name_, 1, "int64");
  values_ = reals_of(kept_[0]);
  starts_ = integers_of(kept_[1]);
  indices_ = integers_of(kept_[2]);
  size_ = starts_.size() - 1;
}

void GivenRows::read_frame(nb::handle given) {
  size_ = nb::len(given);
  for (nb::handle column : given.attr("columns")) {
    const nb::str name = nb::steal<nb::str>(PyObject_Str(column.ptr()));
    columns_.push_back({name.c_str(), nb::cast<nb::list>(given[column].attr("tolist")())});
    if (nb::len(columns_.back().values) != size_)
      throw_type_error(std::string(name_) + ": the column " + shown(name.c_str()) + " stands there twice");
  }
  if (columns_.empty()) list_ = nb::list();
}

FeaturesView GivenRows::view(std::size_t i) {
  if (!columns_.empty()) {
    named_.clear();
    for (const Column& column : columns_)
      named_.push_back({column.name, to_feature(column.values[i], name_, column.name, true)});
    return named_;
  }
  if (!list_.is_none()) {
    row_.read(nb::object(list_[i]), name_, takes_names_);
    return row_.view();
  }
  if (!sparse_) return Covector::dense(values_.subspan(i * width_, width_));
  const auto begin = static_cast<std::size_t>(starts_[i]), count = static_cast<std::size_t>(starts_[i + 1]) - begin;
  return Covector::sparse(indices_.subspan(begin, count), values_.subspan(begin, count));
}

}  // namespace tarry::python
