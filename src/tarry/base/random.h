// Counter-based random numbers: a pure function of (seed, stream, position), so that any part of a run can be
// drawn by any thread, in any order, with the same result.
#pragma once

#include <array>
#include <cstdint>

namespace tarry {

// Philox 4x32-10 (Salmon et al., 2011): one keyed block of 128 random bits for a 128-bit counter.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  std::array<std::uint64_t, 2> bits(std::uint64_t position) const;  // 128 bits
  double uniform(std::uint64_t position) const;                     // in (0, 1), never 0 or 1
  double gaussian(std::uint64_t position) const;                    // mean 0, variance 1

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

// A stream of its own for the k-th part of something that has the given one: parts draw other numbers than each other
// and than the whole.
std::uint64_t split_stream(std::uint64_t stream, std::uint64_t k);

// A Random read from position 0 on: for callers that draw one number after another.
class RandomSequence {
 public:
  explicit RandomSequence(std::uint64_t seed, std::uint64_t stream = 0) : random_(seed, stream) {}
  double uniform() { return random_.uniform(position_++); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double gaussian() { return random_.gaussian(position_++); }
  std::uint64_t below(std::uint64_t bound);  // 0 .. bound − 1, unbiased to 2^-64

 private:
  Random random_;
  std::uint64_t position_ = 0;
};

}  // namespace tarry
