// The hash that turns the words of a data file into features. It is fixed: the same file gives the same features on
// every machine and in every version.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarry::data {

inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325;

// FNV-1a with 64 bits (Fowler, Noll and Vo). Hashing a text in two parts, with the first result as the second start,
// gives the hash of the whole.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t start = kFnvStart) {
  std::uint64_t hash = start;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace tarry::data
