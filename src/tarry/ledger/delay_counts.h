// Delays as they were seen, in rounds: 1 when the answer came before the next play.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace tarry {

struct DelayCounts {
  std::uint64_t answered = 0;
  double sum = 0;  // of the answered rounds' delays
  std::uint64_t largest = 0;
  std::array<std::uint64_t, 64> histogram{};  // [k]: delays from 2^k to 2^{k+1} − 1
  std::uint64_t most_outstanding = 0;         // rounds outstanding at once, the one just played included
  double sum_outstanding = 0;                 // Σ o_t: rounds outstanding when each round was played

  void add(std::uint64_t delay) {
    ++answered;
    sum += static_cast<double>(delay);
    largest = std::max(largest, delay);
    ++histogram[static_cast<std::size_t>(std::bit_width(delay) - 1)];
  }
  double mean() const { return answered == 0 ? 0 : sum / static_cast<double>(answered); }
};

}  // namespace tarry
