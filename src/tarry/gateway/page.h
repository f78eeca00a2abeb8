// A gateway's page: web/gateway in one text.
#pragma once

#include "tarry/base/embedded_page.h"

namespace tarry::gateway {

extern const EmbeddedPage kGatewayPage;

}  // namespace tarry::gateway
