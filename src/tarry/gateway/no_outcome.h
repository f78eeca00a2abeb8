// What a waiting client hears if no outcome came.
#pragma once

#include <cstdint>
#include <optional>

#include "tarry/gateway/waiting.h"
#include "tarry/hosting/rejection.h"

namespace tarry::gateway {

// Nothing: there is an outcome, or it was acknowledged.
std::optional<hosting::Rejection> rejection_of(const News& news, std::int64_t waited_ms);

}  // namespace tarry::gateway
