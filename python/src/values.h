// Python's values as specifications and labels, and specifications as Python's values.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>  // in every file, or a text would be cast in two ways

#include <optional>
#include <string>

#include "tarry/model/event.h"
#include "tarry/spec/value.h"

namespace tarry::python {

// Dicts, lists, tuples, arrays, numbers, texts, paths; `where` begins messages. Throws TypeError.
spec::Value to_value(nanobind::handle given, const std::string& where);
nanobind::object to_python(const spec::Value& value);
inline nanobind::object as_str(const std::string& x) { return nanobind::str(x.c_str(), x.size()); }

// The name of an object's type: int, numpy.bool; of a class in Python without its module.
std::string name_of_type(nanobind::handle object);

// A number, also one of NumPy's, as a double; nothing where it is none. True and False are not numbers here.
std::optional<double> to_number(nanobind::handle given);
// True or False, also NumPy's.
std::optional<bool> to_flag(nanobind::handle given);
// A text; throws UnicodeEncodeError for one that has no UTF-8.
std::optional<std::string_view> to_text(nanobind::handle given);

// Arguments that several calls have: seconds, and a round's key (None: empty). Throws TypeError, Error.
double to_seconds_given(nanobind::handle given, const char* what);
inline std::optional<double> to_seconds(nanobind::handle given, const char* what) {
  return given.is_none() ? std::nullopt : std::optional(to_seconds_given(given, what));
}
std::string to_key(nanobind::handle key);

// A number, true, false or the name of a class.
LabelValue to_label(nanobind::handle given);

}  // namespace tarry::python
