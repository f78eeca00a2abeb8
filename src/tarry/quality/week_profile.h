// What is usual at each time of the week: shares of bins by parts of three hours, of the last weeks. Where a part has
// seen little, the whole week is used. Times are UTC. One thread at a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tarry/quality/bins.h"

namespace tarry::quality {

inline constexpr std::int64_t kPartMs = 3 * 3'600'000, kWeekMs = 7 * 24 * 3'600'000LL;
inline constexpr std::size_t kParts = kWeekMs / kPartMs;

inline std::size_t part_of(std::int64_t ms) { return static_cast<std::size_t>(ms % kWeekMs / kPartMs); }

class WeekProfile {
 public:
  struct Usual {
    std::array<double, kBins> share{};
    double count = 0;  // that the shares rest on
  };
  // What was added lately, by parts of the week: a profile as it was before is this one without it.
  class Lately {
   public:
    void add(std::int64_t ms, const BinCounts& counts);
    void clear() { parts_.clear(); }

   private:
    friend class WeekProfile;
    std::vector<std::pair<std::size_t, BinCounts>> parts_;  // each once
  };
  Usual usual(std::int64_t ms) const { return usual(ms, {}); }
  Usual usual(std::int64_t ms, const Lately& without) const;
  void add(std::int64_t ms, const BinCounts& counts);

  void save(ByteWriter& out) const;
  static WeekProfile load(ByteReader& in);

 private:
  struct Part {
    std::int64_t week = 0;  // of the last that was added
    BinCounts counts{};
  };
  std::vector<Part> parts_;  // none: nothing was added
  std::array<double, kBins> all_{};
};

}  // namespace tarry::quality
