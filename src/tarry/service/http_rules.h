// What a request's headers must not leave in doubt.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "tarry/service/errors.h"

namespace tarry::service {

struct HeadersInBrief {
  std::function<std::size_t(std::string_view name)> count;  // how often a header came
  std::string_view length;                                  // the first Content-Length
  bool chunked = false;                                     // the body's last coding
};

// Two servers must never read a request in two ways: what leaves a doubt is refused.
std::optional<Refusal> doubt(const HeadersInBrief& headers);

}  // namespace tarry::service
