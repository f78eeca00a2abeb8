// Single rounds in /openapi.json.
#pragma once

#include <string>

namespace tarry::service {

std::string round_schemas();
std::string round_paths();

}  // namespace tarry::service
