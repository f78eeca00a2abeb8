#include "tarry/features/distinct_sketch.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr int kBits = 10;  // of a hash: its part
constexpr std::size_t kParts = std::size_t{1} << kBits;
constexpr int kMost = 64 - kBits + 1;

}  // namespace

void DistinctSketch::add(std::uint64_t hash) {
  if (longest_.empty()) longest_.resize(kParts);
  std::uint8_t& longest = longest_[hash >> (64 - kBits)];
  const auto here = static_cast<std::uint8_t>(std::min(std::countl_zero(hash << kBits) + 1, kMost));
  longest = std::max(longest, here);
}

std::uint64_t DistinctSketch::estimate() const {
  if (longest_.empty()) return 0;
  constexpr double kCount = kParts;
  double sum = 0, empty = 0;
  for (const std::uint8_t longest : longest_) {
    sum += std::ldexp(1.0, -longest);
    if (longest == 0) empty += 1;
  }
  const double raw = 0.7213 / (1 + 1.079 / kCount) * kCount * kCount / sum;
  const bool few = raw <= 2.5 * kCount && empty > 0;  // then the empty parts tell more
  return static_cast<std::uint64_t>(std::llround(few ? kCount * tarry::log(kCount / empty) : std::min(raw, 0x1p62)));
}

void DistinctSketch::save(ByteWriter& out) const {
  out.text({reinterpret_cast<const char*>(longest_.data()), longest_.size()});
}

void DistinctSketch::load(ByteReader& in) {
  const std::string bytes = in.text();
  const auto fits = [](char c) { return static_cast<unsigned char>(c) <= kMost; };
  if ((!bytes.empty() && bytes.size() != kParts) || !std::all_of(bytes.begin(), bytes.end(), fits))
    throw Error(Code::kCorrupt, "snapshot: the sketch of shared names is impossible");
  longest_.assign(bytes.begin(), bytes.end());
}

}  // namespace tarry
