// Delays as they were seen, in rounds: 1 when the answer came before the next play.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "tarry/base/bytes.h"
#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry {

struct DelayCounts {
  std::uint64_t answered = 0;
  double sum = 0;  // of the answered rounds' delays
  std::uint64_t largest = 0;
  std::array<std::uint64_t, 64> histogram{};  // [k]: delays from 2^k to 2^{k+1} − 1
  std::uint64_t most_outstanding = 0;         // rounds outstanding at once, the one just played included
  double sum_outstanding = 0;                 // Σ o_t: rounds outstanding when each round was played

  void add(std::uint64_t delay) {
    ensure(delay >= 1, "an answer comes in its own round at the earliest: a delay is at least 1");
    ++answered;
    sum += static_cast<double>(delay);
    largest = std::max(largest, delay);
    ++histogram[static_cast<std::size_t>(std::bit_width(delay) - 1)];
  }
  void save(ByteWriter& out) const {
    out.u64(answered);
    out.f64(sum);
    out.u64(largest);
    for (std::uint64_t count : histogram) out.u64(count);
    out.u64(most_outstanding);
    out.f64(sum_outstanding);
  }
  void load(ByteReader& in) {
    answered = in.u64();
    sum = in.size();
    largest = in.u64();
    std::uint64_t counted = 0;
    for (std::uint64_t& count : histogram) counted += count = in.u64();
    most_outstanding = in.u64();
    sum_outstanding = in.size();
    if (counted != answered) throw Error(Code::kCorrupt, "snapshot: the delays are not as many as the answers");
  }
  double mean() const { return answered == 0 ? 0 : sum / static_cast<double>(answered); }
};

}  // namespace tarry
