// The hash of names and words. It is fixed, without a seed: the same text gives the same number on every machine and in
// every version, since slots past the capacity, and digests that are kept, follow from it.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tarry {

static_assert(std::endian::native == std::endian::little, "texts are hashed in words of little-endian bytes");

inline constexpr std::uint64_t kHashStart = 0x9E3779B97F4A7C15u;

// Takes in one more word: both halves of a product of 128 bits, beside what was there.
constexpr std::uint64_t hash_step(std::uint64_t hash, std::uint64_t word) {
  __extension__ typedef unsigned __int128 Wide;
  const Wide product = static_cast<Wide>(word ^ 0xA0761D6478BD642Fu) * (hash ^ 0xE7037ED1A0B428DBu);
  return std::rotl(hash, 29) ^ static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

namespace hash_detail {

template <class Word>
std::uint64_t read(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

}  // namespace hash_detail

// Eight bytes at a time; the last ones overlap those before where the length is no multiple of eight, which the length,
// taken in at the end, makes unambiguous.
inline std::uint64_t hash_text(std::string_view text) {
  using hash_detail::read;
  const char* at = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = kHashStart;
  if (size >= 8) {
    const char* last = at + size - 8;
    for (; at < last; at += 8) hash = hash_step(hash, read<std::uint64_t>(at));
    hash = hash_step(hash, read<std::uint64_t>(last));
  } else if (size >= 4) {
    hash = hash_step(hash, read<std::uint32_t>(at) | read<std::uint32_t>(at + size - 4) << 32);
  } else if (size > 0) {
    hash = hash_step(hash, read<std::uint8_t>(at) | read<std::uint8_t>(at + size / 2) << 8 |
                               read<std::uint8_t>(at + size - 1) << 16);
  }
  return hash_step(hash, size);
}

}  // namespace tarry
