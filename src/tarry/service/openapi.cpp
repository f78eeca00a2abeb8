#include "tarry/service/openapi.h"

namespace tarry::service {

const std::string& openapi_json() {
  static const std::string text = "{}";
  return text;
}

}  // namespace tarry::service
