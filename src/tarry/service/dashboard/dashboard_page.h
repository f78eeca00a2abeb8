// The dashboard: web/dashboard in one text.
#pragma once

#include "tarry/base/embedded_page.h"

namespace tarry::service {

extern const EmbeddedPage kDashboardPage;

}  // namespace tarry::service
