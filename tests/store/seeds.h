// How many games the simulations play.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace tarry::store {

inline std::uint64_t seeds() {
  if (const char* given = std::getenv("TARRY_STORE_SEEDS")) return std::stoull(given);
  return std::getenv("TARRY_SOAK") != nullptr ? 1'000'000 : 2'000;
}

}  // namespace tarry::store
