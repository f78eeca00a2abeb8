// What a watch remembers as bytes, so that it survives a restart.
#pragma once

#include <string>
#include <string_view>

#include "tarry/service/watch/watch.h"

namespace tarry::service {

// May be called from any thread.
std::string kept_bytes(WatchedModel& of);
// Into one that has seen nothing. False: they cannot be read, and nothing has changed.
bool keep_on(WatchedModel& of, std::string_view bytes);

}  // namespace tarry::service
