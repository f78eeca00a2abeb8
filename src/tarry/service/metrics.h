// The text of /metrics, in Prometheus' format.
#pragma once

#include <string>

#include "tarry/service/http_server.h"
#include "tarry/service/service.h"

namespace tarry::service {

std::string metrics_text(Service& service, const HttpServer& http);

}  // namespace tarry::service
