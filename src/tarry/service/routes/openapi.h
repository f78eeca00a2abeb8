// The description of the service's addresses, as OpenAPI 3.1.
#pragma once

#include <string>

namespace tarry::service {

const std::string& openapi_json();
const std::string& gateway_openapi_json();  // of a gateway to Kafka

}  // namespace tarry::service
