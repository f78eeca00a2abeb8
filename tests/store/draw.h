// Cheap random numbers for a million small games.
#pragma once

#include <cstdint>

namespace tarry::store {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

  std::uint64_t bits() {  // SplitMix64
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return bits() % bound; }
  std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  bool percent(std::uint64_t p) { return below(100) < p; }

 private:
  std::uint64_t state_;
};

}  // namespace tarry::store
