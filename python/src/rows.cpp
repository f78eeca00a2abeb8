#include "rows.h"

#include <cmath>

#include "errors.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

bool is_arrow(nb::handle given) { return nb::hasattr(given, "column_names") && nb::hasattr(given, "itercolumns"); }
bool is_frame(nb::handle given) {
  return is_arrow(given) || (nb::hasattr(given, "columns") && nb::hasattr(given, "to_numpy"));
}

nb::object array_of_frame(nb::handle given) {
  if (!is_arrow(given)) return given.attr("to_numpy")();
  nb::list columns;
  for (nb::handle column : given.attr("itercolumns")()) columns.append(column.attr("to_numpy")());
  return nb::module_::import_("numpy").attr("column_stack")(columns);
}

bool is_number_kind(nb::handle dtype) {
  return std::string_view("fiu").find(nb::cast<std::string>(dtype.attr("kind"))) != std::string_view::npos;
}

}  // namespace

nb::object numbers_in(nb::handle column) {
  if (!nb::hasattr(column, "to_numpy")) return nb::none();
  if (nb::hasattr(column, "dtype") && nb::hasattr(column.attr("dtype"), "kind") &&
      !is_number_kind(column.attr("dtype")))  // without making objects of its words
    return nb::none();
  const nb::object array = column.attr("to_numpy")();
  const bool plain = is_number_kind(array.attr("dtype")) && nb::cast<int>(array.attr("ndim")) == 1;
  return plain ? array : nb::none();
}

nb::list list_of(nb::handle column) {
  for (const char* name : {"tolist", "to_list", "to_pylist"})
    if (nb::hasattr(column, name)) return nb::list(nb::object(column.attr(name)()));
  return nb::list(nb::borrow(column));
}

GivenRows::GivenRows(nb::handle given, const char* name, bool takes_names) : name_(name), takes_names_(takes_names) {
  if (given.is_none() || PyUnicode_Check(given.ptr()) || PyDict_Check(given.ptr()))
    throw_type_error(std::string(name) + " must be rows: an array, a frame or a list (" + kind_of(given) + " came)");
  const bool sequence = PyList_Check(given.ptr()) || PyTuple_Check(given.ptr());
  if (is_sparse(given))
    read_sparse(given);
  else if (is_frame(given) && takes_names)
    read_frame(given);
  else if (sequence || (!is_frame(given) && !nb::hasattr(given, "__array__") && nb::hasattr(given, "__iter__")))
    read_list(given);
  else
    read_array(is_frame(given) ? array_of_frame(given) : nb::borrow(given));
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
  if (is_arrow(given)) {
    const nb::list names(given.attr("column_names"));
    std::size_t i = 0;
    for (nb::handle column : given.attr("itercolumns")()) read_column(column, nb::cast<std::string>(names[i++]));
  } else {
    for (nb::handle column : given.attr("columns"))
      read_column(given[column], nb::steal<nb::str>(PyObject_Str(column.ptr())).c_str());
  }
  if (columns_.empty()) list_ = nb::list();
  names_ = new_names_id();
}

void GivenRows::read_column(nb::handle column, std::string name) {
  if (is_frame(column))  // of all columns of that name
    throw_type_error(std::string(name_) + ": the column " + shown(name) + " stands there twice");
  named_.push_back({std::move(name), std::monostate{}});
  Column& read = columns_.emplace_back(Column{numbers_in(column), std::nullopt});
  if (!read.kept.is_none()) {
    read.kept = contiguous(read.kept, name_, 1);
    read.numbers = reals_of(read.kept);
  } else {
    read.kept = list_of(column);
    ++words_;
  }
  if ((read.numbers ? read.numbers->size() : nb::len(read.kept)) != size_)
    throw_type_error(std::string(name_) + ": the column " + shown(named_.back().name) +
                     " must be as long as the frame");
}

FeaturesView GivenRows::view(std::size_t i) {
  if (!columns_.empty()) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Column& column = columns_[c];
      FeatureValue& value = named_[c].value;
      if (!column.numbers)
        value = to_feature(nb::borrow<nb::list>(column.kept)[i], name_, named_[c].name, true);
      else if (const double number = (*column.numbers)[i]; std::isnan(number))
        value = std::monostate{};
      else
        value = number;
    }
    return {named_, names_};
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
