// How many games the simulations play.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace tarry::store {

inline std::uint64_t seeds() {
  if (const char* given = std::getenv("TARRY_STORE_SEEDS")) return std::stoull(given);
  if (std::getenv("TARRY_SOAK") == nullptr) return 2'000;
#ifdef TARRY_SANITIZED
  return 50'000;  // a tenth of the speed, and the plain build plays them all
#else
  return 1'000'000;
#endif
}

}  // namespace tarry::store
