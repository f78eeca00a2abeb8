// How challengers do, in /metrics.
#pragma once

#include "tarry/service/dashboard/metrics.h"

namespace tarry::service {

void add_challengers(MetricsPage& page, const Service& service);

}  // namespace tarry::service
