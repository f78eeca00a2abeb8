#include "features.h"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "errors.h"
#include "tarry/base/error.h"
#include "tarry/features/same_text.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

nb::object numpy(const char* name) { return nb::module_::import_("numpy").attr(name); }

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

template <class T>
std::span<const T> span_of(nb::handle array) {
  const auto view = nb::cast<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>(array);
  return {view.data(), view.size()};
}

// Entries in any order to ascending ones.
void sort_entries(std::vector<Index>& indices, Vec& values) {
  if (std::is_sorted(indices.begin(), indices.end())) return;
  std::vector<std::size_t> order(indices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return indices[a] < indices[b]; });
  std::vector<Index> sorted_indices;
  Vec sorted_values;
  for (std::size_t j : order) {
    sorted_indices.push_back(indices[j]);
    sorted_values.push_back(values[j]);
  }
  indices = std::move(sorted_indices);
  values = std::move(sorted_values);
}

bool has_text(PyObject* text, const std::string& other) {
#ifndef Py_LIMITED_API
  if (PyUnicode_IS_COMPACT_ASCII(text)) {  // its bytes lie right behind it
    const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(text));
    return tarry::same_text({static_cast<const char*>(PyUnicode_DATA(text)), size}, other);
  }
#endif
  return *to_text(text) == other;
}

// Of an object that is a float.
double double_of(PyObject* number) {
#ifdef Py_LIMITED_API
  return PyFloat_AsDouble(number);
#else
  return PyFloat_AS_DOUBLE(number);
#endif
}

constexpr std::size_t kMostKept = 256;  // features of a row whose names are kept

std::vector<std::string> to_words(nb::handle given, const char* name, std::string_view key) {
  std::vector<std::string> words;
  for (nb::handle element : given) {
    const auto word = to_text(element);
    if (!word)
      throw_type_error(std::string(name) + "." + shown(std::string(key)) + " must be a list of texts (" +
                       kind_of(element) + " is in it)");
    words.emplace_back(*word);
  }
  return words;
}

}  // namespace

FeatureValue to_feature(nb::handle given, const char* name, std::string_view key, bool nan_is_missing) {
  if (PyFloat_CheckExact(given.ptr())) {
    const double number = PyFloat_AsDouble(given.ptr());
    if (nan_is_missing && std::isnan(number)) return std::monostate{};
    return number;
  }
  if (const auto text = to_text(given)) return std::string(*text);
  if (given.is_none()) return std::monostate{};
  if (const auto flag = to_flag(given)) return *flag;
  if (PyList_Check(given.ptr()) || PyTuple_Check(given.ptr()) || PyAnySet_Check(given.ptr()))
    return to_words(given, name, key);
  const bool missing = nan_is_missing && !nb::hasattr(given, "__len__") && !given.equal(given);
  if (missing) return std::monostate{};
  if (!nb::hasattr(given, "__len__"))
    if (const auto number = to_number(given)) return *number;
  if (nan_is_missing && name_of_type(given).ends_with("NAType")) return std::monostate{};
  throw_type_error(std::string(name) + "." + shown(std::string(key)) +
                   " must be a number, a text, True, False, None or a list of texts (" + kind_of(given) + " came)");
}

GivenRow::~GivenRow() {
  if (last_ == nullptr || named_.empty() || named_.size() > kMostKept) return;
  last_->features = std::move(named_);
  last_->keys = std::move(keys_);
  last_->names = names_;
}

void GivenRow::read(nb::handle given, const char* name, bool takes_names) {
  is_named_ = false;
  if (PyDict_Check(given.ptr())) return read_dict(given, name, takes_names, false);
  if (PyUnicode_Check(given.ptr()) || PyBytes_Check(given.ptr()) || given.is_none())
    throw_type_error(std::string(name) + " must be a dict or an array of numbers (" + kind_of(given) + " came)");
  if (is_sparse(given)) {
    const nb::object row = canonical_rows(given, name);
    const auto shape = nb::cast<nb::tuple>(row.attr("shape"));
    if (shape.size() != 1 && nb::cast<Index>(shape[0]) != 1)
      refuse(std::string(name) + " must be one row (" + std::to_string(nb::cast<Index>(shape[0])) + " came)");
    kept_indices_ = contiguous(row.attr("indices"), name, 1, "int64");
    kept_values_ = contiguous(row.attr("data"), name, 1);
    numbered_ = Covector::sparse(integers_of(kept_indices_), reals_of(kept_values_));
    return;
  }
  // pandas has rows by name: its missing values are missing, not wrong.
  if (nb::hasattr(given, "to_dict")) return read_dict(given.attr("to_dict")(), name, takes_names, true);
  if (nb::hasattr(given, "keys"))
    return read_dict(nb::module_::import_("builtins").attr("dict")(given), name, takes_names, false);
  read_numbers(given, name);
}

void GivenRow::read_dict(nb::handle dict, const char* name, bool takes_names, bool nan_is_missing) {
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  const bool first = PyDict_Next(dict.ptr(), &position, &key, &value) != 0;
  if (!takes_names && (!first || PyLong_Check(key))) return read_indexed(dict, name);
  read_named(dict, name, nan_is_missing);
}

// Whether the feature has the name of the last row's, which then is in its place. Dicts of one literal share their
// keys; others have texts that are equal. Nothing here runs code.
bool GivenRow::is_name_again(std::size_t i, PyObject* key) const {
  if (i >= keys_.size()) return false;
  if (keys_[i].ptr() == key) return true;
  return PyUnicode_CheckExact(key) && has_text(key, named_[i].name);
}

// Whether the value is a number, as that of the last row was: it then is in its place.
bool GivenRow::is_number_again(std::size_t i, PyObject* value, bool nan_is_missing) {
  if (!PyFloat_CheckExact(value)) return false;
  auto* number = std::get_if<double>(&named_[i].value);
  if (number == nullptr) return false;
  *number = double_of(value);
  return !nan_is_missing || !std::isnan(*number);
}

// Whether the key is a text, whose name then is in its place. Nothing here runs code.
bool GivenRow::read_name(std::size_t i, PyObject* key) {
  if (!PyUnicode_CheckExact(key)) return false;
  named_[i].name = *to_text(key);
  if (i < keys_.size())
    keys_[i] = nb::borrow(key);
  else if (i == keys_.size())
    keys_.push_back(nb::borrow(key));
  return true;
}

void GivenRow::read_named(nb::handle dict, const char* name, bool nan_is_missing) {
  is_named_ = true;
  if (named_.empty() && last_ != nullptr) {
    named_ = std::exchange(last_->features, {});
    keys_ = std::exchange(last_->keys, {});
    names_ = std::exchange(last_->names, NamesId::kUnknown);
  }
  const NamesId names = std::exchange(names_, NamesId::kUnknown);  // until it is sure that they are the same
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  const Py_ssize_t size = PyDict_Size(dict.ptr());
  bool same = named_.size() == static_cast<std::size_t>(size);
  named_.resize(static_cast<std::size_t>(size));
  if (keys_.size() > named_.size()) keys_.resize(named_.size());
  for (std::size_t i = 0; PyDict_Next(dict.ptr(), &position, &key, &value) != 0; ++i) {
    const bool again = is_name_again(i, key);
    if (again && is_number_again(i, value, nan_is_missing)) continue;
    same = same && again;
    NamedFeature& next = named_[i];
    const bool is_text = again || read_name(i, key);
    if (is_text && PyFloat_CheckExact(value)) {
      next.value = to_feature(value, name, next.name, nan_is_missing);
      continue;
    }
    const nb::object held_key = nb::borrow(key), held_value = nb::borrow(value);  // a conversion may run code
    if (!is_text) {
      if (i < keys_.size()) keys_.resize(i);
      if (const auto text = to_text(key))
        next.name = *text;
      else if (PyLong_Check(key) && !PyBool_Check(key))
        next.name = nb::steal<nb::str>(PyObject_Str(key)).c_str();
      else
        throw_type_error(std::string(name) + ": a name must be a text (" + kind_of(held_key) + " came)");
    }
    next.value = to_feature(held_value, name, next.name, nan_is_missing);
    if (PyDict_Size(dict.ptr()) != size) refuse(std::string(name) + " changed while they were read");
  }
  if (same && size > 0) names_ = names != NamesId::kUnknown ? names : new_names_id();
}

// {3: 1.5, 17: 2}: by index.
void GivenRow::read_indexed(nb::handle dict, const char* name) {
  indices_.clear();
  values_.clear();
  for (const auto& [key, value] : nb::borrow<nb::dict>(dict)) {
    Index index = 0;
    if (PyBool_Check(key.ptr()) || !nb::try_cast(key, index))
      throw_type_error(std::string(name) + ": an index must be a whole number (" + kind_of(key) + " came)");
    const auto number = to_number(value);
    if (!number)
      throw_type_error(std::string(name) + "[" + std::to_string(index) + "] must be a number (" + kind_of(value) +
                       " came)");
    indices_.push_back(index);
    values_.push_back(*number);
  }
  sort_entries(indices_, values_);
  numbered_ = Covector::sparse(indices_, values_);
}

void GivenRow::read_sparse(nb::handle indices, nb::handle values) {
  is_named_ = false;
  const nb::object given_indices = contiguous(indices, "indices", 1, "int64"), given = contiguous(values, "values", 1);
  const auto i = integers_of(given_indices);
  const auto v = reals_of(given);
  if (i.size() != v.size())
    refuse("values must have as many entries as indices (" + std::to_string(v.size()) + " and " +
           std::to_string(i.size()) + " came)");
  indices_.assign(i.begin(), i.end());
  values_.assign(v.begin(), v.end());
  sort_entries(indices_, values_);
  numbered_ = Covector::sparse(indices_, values_);
}

void GivenRow::read_numbers(nb::handle given, const char* name) {
  if (PyList_CheckExact(given.ptr()) || PyTuple_CheckExact(given.ptr())) {
    values_.clear();
    for (nb::handle element : given) {
      const auto number = to_number(element);
      if (!number || nb::hasattr(element, "__len__"))
        throw_type_error(std::string(name) + " must be numbers (" + kind_of(element) + " is in it)");
      values_.push_back(*number);
    }
    numbered_ = Covector::dense(values_);
    return;
  }
  look_at(contiguous(given, name, 1));
}

void GivenRow::look_at(nb::object array) {
  kept_values_ = std::move(array);
  numbered_ = Covector::dense(reals_of(kept_values_));
}

FeaturesView GivenRow::view() const { return is_named_ ? FeaturesView(named_, names_) : FeaturesView(numbered_); }

nb::object contiguous(nb::handle given, const char* name, int dimensions, const char* type) {
  if (PyUnicode_Check(given.ptr()) || given.is_none())
    throw_type_error(std::string(name) + " must be an array of numbers (" + kind_of(given) + " came)");
  // Arrays alone: NumPy's scalars have buffers too, and that of a date has no format, which the cast does not survive.
  if (std::string_view(type) == "float64" && nb::isinstance(given, numpy("ndarray"))) {
    nb::ndarray<const double, nb::c_contig, nb::device::cpu> ready;
    if (nb::try_cast(given, ready, false) && static_cast<int>(ready.ndim()) == dimensions) return nb::borrow(given);
  }
  const nb::object array = numpy("asarray")(given);
  const std::string kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  const bool whole = std::string_view(type) == "int64";
  const bool empty = nb::cast<Index>(array.attr("size")) == 0;
  if (!empty && std::string_view(whole ? "iu" : "biuf").find(kind) == std::string_view::npos)
    throw_type_error(std::string(name) + " must be an array of " + (whole ? "whole " : "") + "numbers (one of " +
                     nb::cast<std::string>(array.attr("dtype").attr("name")) + " came)");
  const auto came = nb::cast<int>(array.attr("ndim"));
  if (came != dimensions)
    refuse(std::string(name) + " must be an array of " + std::to_string(dimensions) +
           (dimensions == 1 ? " dimension (" : " dimensions (") + std::to_string(came) + " came)");
  return numpy("ascontiguousarray")(array, nb::arg("dtype") = type);
}

std::span<const double> reals_of(nb::handle array) { return span_of<double>(array); }
std::span<const Index> integers_of(nb::handle array) { return span_of<Index>(array); }

nb::object to_array(Vec values) {
  auto* kept = new Vec(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Vec*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

nb::object to_array(std::span<const double> values) { return to_array(Vec(values.begin(), values.end())); }

bool is_sparse(nb::handle given) { return nb::hasattr(given, "tocsr") && nb::hasattr(given, "nnz"); }

nb::object canonical_rows(nb::handle given, const char* name) {
  nb::object rows = given.attr("tocsr")();
  const std::string kind = nb::cast<std::string>(rows.attr("dtype").attr("kind"));
  if (std::string_view("biuf").find(kind) == std::string_view::npos)
    throw_type_error(std::string(name) + " must be numbers (a sparse array of " +
                     nb::cast<std::string>(rows.attr("dtype").attr("name")) + " came)");
  if (nb::cast<bool>(rows.attr("has_canonical_format"))) return rows;
  rows = rows.attr("copy")();
  rows.attr("sum_duplicates")();
  return rows;
}

}  // namespace tarry::python
