// The description of the service's addresses, as OpenAPI 3.1.
#pragma once

#include <string>

namespace tarry::service {

const std::string& openapi_json();

}  // namespace tarry::service
