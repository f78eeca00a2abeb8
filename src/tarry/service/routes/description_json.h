// A model's description as JSON.
#pragma once

#include <string>

#include "tarry/hosting/reply.h"

namespace tarry::service {

std::string description_json(const hosting::Description& model);

}  // namespace tarry::service
