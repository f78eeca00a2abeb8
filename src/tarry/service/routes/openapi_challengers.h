// Challengers' addresses in the description: parts that go into openapi.cpp's.
#pragma once

#include <string>

namespace tarry::service {

std::string challenger_schemas();  // members of `schemas`
std::string challenger_paths();    // members of `paths`

}  // namespace tarry::service
