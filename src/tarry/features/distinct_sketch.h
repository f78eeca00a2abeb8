// About how many different hashes were added, in 1 KiB: HyperLogLog (Flajolet et al., 2007), within some 3% (one
// standard deviation).
#pragma once

#include <cstdint>
#include <vector>

#include "tarry/base/bytes.h"

namespace tarry {

class DistinctSketch {
 public:
  void add(std::uint64_t hash);
  std::uint64_t estimate() const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::vector<std::uint8_t> longest_;  // of each part of the hashes: most leading zeros, plus one; empty: none added
};

}  // namespace tarry
