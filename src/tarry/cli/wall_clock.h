// The time of day, for what the program writes down.
#pragma once

#include <chrono>
#include <cstdint>

namespace tarry::cli {

inline std::int64_t now_ms() {  // since 1970
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

}  // namespace tarry::cli
