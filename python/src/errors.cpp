#include "errors.h"

#include <exception>
#include <new>
#include <stdexcept>

#include "tarry/base/error.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

// "bad_spec" is errors.BadSpec.
std::string class_name(std::string_view code) {
  std::string name;
  bool upper = true;
  for (const char c : code) {
    if (c != '_') name += upper ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '_';
  }
  return name;
}

void raise(const std::string& name, const std::string& message) {
  const nb::object type = nb::module_::import_("tarry.errors").attr(name.c_str());
  PyErr_SetObject(type.ptr(), nb::str(message.c_str(), message.size()).ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise(class_name(error_row(error.code()).name), error.what());
  } catch (const std::bad_alloc&) {
    raise("OutOfMemory", "not enough memory");
  } catch (const std::length_error&) {
    raise("OutOfMemory", "not enough memory");
  }
}

}  // namespace

void bind_errors() { nb::register_exception_translator(translate); }

void throw_unknown_ticket(const std::string& message) {
  raise("UnknownTicket", message);
  throw nb::python_error();
}

void throw_type_error(const std::string& message) { throw nb::type_error(message.c_str()); }

std::string kind_of(nb::handle object) {
  if (object.is_none()) return "None";
  const std::string name = name_of_type(object);
  const bool vowel = std::string_view("aeiouAEIOU").find(name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + name;
}

}  // namespace tarry::python
