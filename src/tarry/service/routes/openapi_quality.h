// The part of openapi.cpp about how good a model is.
#pragma once

#include <string>

namespace tarry::service {

std::string quality_schemas();  // each with a comma behind
std::string quality_paths();    // each with a comma before

}  // namespace tarry::service
