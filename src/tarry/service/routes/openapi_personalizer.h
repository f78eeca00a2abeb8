// Personalizer's addresses in the description: parts that go into openapi.cpp's.
#pragma once

#include <string>

namespace tarry::service {

std::string personalizer_schemas();  // members of `schemas`
std::string personalizer_paths();    // members of `paths`, for each version

}  // namespace tarry::service
