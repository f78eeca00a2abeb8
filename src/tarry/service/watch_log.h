// Writes what begins and ends to go wrong with models into the service's log: a line for each change, once.
#pragma once

#include "tarry/hosting/json_log.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

// To be called now and then, by one thread.
void log_watch_news(Service& service, hosting::JsonLog& log);

}  // namespace tarry::service
