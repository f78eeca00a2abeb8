// Some of the rounds whose values fell into each bin lately: what an alarm shows as the decisions behind it. One thread
// at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tarry/quality/bins.h"

namespace tarry::quality {

class Examples {
 public:
  static constexpr std::size_t kOfABin = 8;  // the last ones

  void saw(std::size_t bin, std::uint64_t round) {
    if (round != 0) rounds_[bin][seen_[bin]++ % kOfABin] = round;
  }
  std::vector<std::uint64_t> of(std::size_t bin) const {  // oldest first
    std::vector<std::uint64_t> found;
    const std::size_t seen = seen_[bin];
    for (std::size_t k = seen < kOfABin ? 0 : seen - kOfABin; k < seen; ++k) found.push_back(rounds_[bin][k % kOfABin]);
    return found;
  }
  void clear() { seen_ = {}; }

 private:
  std::array<std::array<std::uint64_t, kOfABin>, kBins> rounds_{};
  std::array<std::uint32_t, kBins> seen_{};
};

}  // namespace tarry::quality
