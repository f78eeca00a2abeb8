// Errors of the library as Python's exceptions, which tarry/errors.py defines: one for each code.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace tarry::python {

void bind_errors();

// A ticket that no round of the model has: UnknownTicket, a KeyError.
[[noreturn]] void throw_unknown_ticket(const std::string& message);
// An object of another kind than can stand there: TypeError.
[[noreturn]] void throw_type_error(const std::string& message);

// "a list", for messages.
std::string kind_of(nanobind::handle object);

}  // namespace tarry::python
