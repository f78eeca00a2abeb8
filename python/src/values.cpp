#include "values.h"

#include <fmt/format.h>

#include <iterator>

#include "errors.h"
#include "held_model.h"
#include "own.h"
#include "tarry/base/error.h"
#include "tarry/base/overload.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

constexpr int kDeepest = 100;  // as in JSON

spec::Value convert(nb::handle given, const std::string& where, int depth);

spec::Value sequence(nb::handle given, const std::string& where, int depth) {
  spec::Numbers numbers;
  spec::Array values;
  bool all_numbers = true;
  for (nb::handle element : given) {
    const auto number = all_numbers && !PyBool_Check(element.ptr()) ? to_number(element) : std::nullopt;
    if (all_numbers && !number) {
      all_numbers = false;
      for (double x : numbers) values.push_back({x});
    }
    if (all_numbers)
      numbers.push_back(*number);
    else
      values.push_back(convert(element, where, depth + 1));
  }
  return all_numbers ? spec::Value{std::move(numbers)} : spec::Value{std::move(values)};
}

spec::Value object(nb::handle given, const std::string& where, int depth) {
  spec::Object members;
  for (const auto& [key, value] : nb::borrow<nb::dict>(given)) {
    const auto name = to_text(key);
    if (!name) throw_type_error(where + ": a key must be a text (" + kind_of(key) + " came)");
    const std::string inside = where + "." + std::string(*name);
    spec::Value member = convert(value, inside, depth + 1);
    auto* own = *name == "type" ? std::get_if<spec::Object>(&member.as) : nullptr;
    if (own != nullptr)  // {"type": an object written in Python, …}
      std::move(own->begin(), own->end(), std::back_inserter(members));
    else
      members.emplace_back(std::string(*name), std::move(member));
  }
  return {std::move(members)};
}

spec::Value convert(nb::handle given, const std::string& where, int depth) {
  if (depth > kDeepest) throw nb::value_error((where.substr(0, 60) + "…: nested too deep").c_str());
  if (given.is_none()) return {};
  if (const auto flag = to_flag(given)) return {*flag};
  if (PyLong_Check(given.ptr())) {
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
    if (overflow == 0) return {static_cast<std::int64_t>(whole)};
  }
  if (const auto text = to_text(given)) return {std::string(*text)};
  if (PyDict_Check(given.ptr())) return object(given, where, depth);
  if (PyList_Check(given.ptr()) || PyTuple_Check(given.ptr())) return sequence(given, where, depth);
  if (is_own(given)) return own_value(given);
  if (nb::hasattr(given, "tolist")) return convert(given.attr("tolist")(), where, depth + 1);  // NumPy, pandas
  if (const auto number = to_number(given)) return {*number};
  if (nb::hasattr(given, "__fspath__")) return convert(given.attr("__fspath__")(), where, depth + 1);
  if (nb::hasattr(given, "keys")) return object(nb::module_::import_("builtins").attr("dict")(given), where, depth);
  throw_type_error(where + " must be a dict, a list, a number or a text (" + kind_of(given) + " came)");
}

}  // namespace

spec::Value to_value(nb::handle given, const std::string& where) { return convert(given, where, 0); }

nb::object to_python(const spec::Value& value) {
  return std::visit(Overload{[](std::monostate) -> nb::object { return nb::none(); },
                             [](bool x) -> nb::object { return nb::bool_(x); },
                             [](std::int64_t x) -> nb::object { return nb::int_(x); },
                             [](double x) -> nb::object { return nb::float_(x); },
                             [](const std::string& x) -> nb::object { return nb::str(x.c_str(), x.size()); },
                             [](const spec::Numbers& x) -> nb::object {
                               nb::list list;
                               for (double number : x) {
                                 const auto whole = static_cast<std::int64_t>(number);
                                 const bool is_whole =
                                     number >= -0x1p53 && number <= 0x1p53 && static_cast<double>(whole) == number;
                                 if (is_whole)
                                   list.append(nb::int_(whole));
                                 else
                                   list.append(nb::float_(number));
                               }
                               return list;
                             },
                             [](const spec::Array& x) -> nb::object {
                               nb::list list;
                               for (const spec::Value& element : x) list.append(to_python(element));
                               return list;
                             },
                             [](const spec::Object& x) -> nb::object {
                               nb::dict dict;
                               for (const auto& [key, member] : x)
                                 dict[nb::str(key.c_str(), key.size())] = to_python(member);
                               return dict;
                             }},
                    value.as);
}

std::string name_of_type(nb::handle object) {
  const nb::handle type = object.type();
  const auto name = nb::cast<std::string>(type.attr("__name__"));
  if ((PyType_GetFlags(Py_TYPE(object.ptr())) & Py_TPFLAGS_HEAPTYPE) != 0) return name;
  const auto module = nb::cast<std::string>(type.attr("__module__"));
  return module == "builtins" ? name : module + "." + name;
}

std::optional<double> to_number(nb::handle given) {
  if (PyFloat_CheckExact(given.ptr())) return PyFloat_AsDouble(given.ptr());
  if (PyBool_Check(given.ptr()) || PyUnicode_Check(given.ptr()) || PyComplex_Check(given.ptr())) return std::nullopt;
  PyTypeObject* type = Py_TYPE(given.ptr());
  if (PyType_GetSlot(type, Py_nb_float) == nullptr && PyType_GetSlot(type, Py_nb_index) == nullptr) return std::nullopt;
  const double number = PyFloat_AsDouble(given.ptr());
  if (number == -1 && PyErr_Occurred()) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {  // an array of several, pandas' missing value
      PyErr_Clear();
      return std::nullopt;
    }
    throw nb::python_error();  // an int too large for a double
  }
  return number;
}

std::optional<bool> to_flag(nb::handle given) {
  if (given.ptr() == Py_True) return true;
  if (given.ptr() == Py_False) return false;
  if (PyFloat_Check(given.ptr()) || PyUnicode_Check(given.ptr()) || PyLong_Check(given.ptr())) return std::nullopt;
  const std::string type = name_of_type(given);
  if (type == "numpy.bool" || type == "numpy.bool_") return nb::cast<bool>(given.attr("item")());
  return std::nullopt;
}

std::optional<std::string_view> to_text(nb::handle given) {
  if (!PyUnicode_Check(given.ptr())) return std::nullopt;
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
  if (text == nullptr) throw nb::python_error();
  return std::string_view(text, static_cast<std::size_t>(size));
}

LabelValue to_label(nb::handle given) {
  if (const auto flag = to_flag(given)) return *flag;
  if (const auto text = to_text(given)) return std::string(*text);
  const bool plain = PyFloat_CheckExact(given.ptr()) || PyLong_CheckExact(given.ptr());
  if (plain || !nb::hasattr(given, "__len__"))  // an array of one number is not a number
    if (const auto number = to_number(given)) return *number;
  throw_type_error("label must be a number, true, false or the name of a class (" + kind_of(given) + " came)");
}

double to_seconds_given(nb::handle given, const char* what) {
  const double number = PyFloat_AsDouble(given.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw_type_error(fmt::format("{} must be a number ({} came)", what, kind_of(given)));
  }
  return number;
}

std::string to_key(nb::handle key) {
  if (key.is_none()) return "";
  const auto text = to_text(key);
  if (!text) throw_type_error("key must be a text (" + kind_of(key) + " came)");
  if (text->empty() || text->size() > kLongestKey)
    throw Error(Code::kBadInput, fmt::format("key must have 1 to {} bytes ({} came)", kLongestKey, text->size()));
  if (looks_like_ticket(*text)) throw Error(Code::kBadInput, "key must not look like a ticket");
  return std::string(*text);
}

}  // namespace tarry::python
