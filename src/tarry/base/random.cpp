#include "tarry/base/random.h"

#include <cmath>

#include "tarry/base/elementary.h"

namespace tarry {
namespace {

// The top 53 bits, centred in their cell: strictly inside (0, 1).
double to_unit(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t left = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t right = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(right >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(right),
         static_cast<std::uint32_t>(left >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(left)};
    k = {k[0] + 0x9E3779B9u, k[1] + 0xBB67AE85u};
  }
  return c;
}

std::array<std::uint64_t, 2> Random::bits(std::uint64_t position) const {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const auto block = philox({low(position), high(position), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
  return {block[0] | std::uint64_t{block[1]} << 32, block[2] | std::uint64_t{block[3]} << 32};
}

double Random::uniform(std::uint64_t position) const { return to_unit(bits(position)[0]); }

double Random::gaussian(std::uint64_t position) const {  // Box and Muller's cosine branch
  const auto pair = bits(position);
  return std::sqrt(-2 * tarry::log(to_unit(pair[0]))) * cos_turns(to_unit(pair[1]));
}

std::uint64_t split_stream(std::uint64_t stream, std::uint64_t k) { return Random(stream, k + 1).bits(0)[0]; }

std::uint64_t RandomSequence::below(std::uint64_t bound) {
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<std::uint64_t>((static_cast<Wide>(random_.bits(position_++)[0]) * bound) >> 64);
}

}  // namespace tarry
