#include "tarry/quality/week_profile.h"

#include <bit>
#include <numeric>

#include "tarry/base/error.h"

namespace tarry::quality {
namespace {

constexpr double kWeekPull = 20;    // values of the whole week that stand in for the few of a part
constexpr float kWeekKept = 0.75F;  // of a part, when its time comes again

}  // namespace

WeekProfile::Usual WeekProfile::usual(std::int64_t ms) const {
  Usual found;
  const double all = std::accumulate(all_.begin(), all_.end(), 0.0);
  if (parts_.empty() || all <= 0) return found;
  const BinCounts& part = parts_[part_of(ms)].counts;
  const double own = std::accumulate(part.begin(), part.end(), 0.0);
  found.count = own + std::min(all, kWeekPull);
  for (std::size_t j = 0; j < kBins; ++j) found.share[j] = (part[j] + kWeekPull * all_[j] / all) / (own + kWeekPull);
  return found;
}

void WeekProfile::add(std::int64_t ms, const BinCounts& counts) {
  if (parts_.empty()) parts_.resize(kParts);
  Part& part = parts_[part_of(ms)];
  const std::int64_t week = ms / kWeekMs;
  if (week > part.week) {
    for (std::size_t j = 0; j < kBins; ++j) {
      const float kept = kWeekKept * part.counts[j];
      all_[j] += kept - part.counts[j];
      part.counts[j] = kept;
    }
    part.week = week;
  }
  for (std::size_t j = 0; j < kBins; ++j) {
    const float before = part.counts[j];
    part.counts[j] += counts[j];
    all_[j] += part.counts[j] - before;
  }
}

void WeekProfile::save(ByteWriter& out) const {
  out.u64(parts_.size());
  for (const Part& part : parts_) {
    out.i64(part.week);
    for (const float count : part.counts) {  // half the room of f64
      const auto bits = std::bit_cast<std::uint32_t>(count);
      for (int k = 0; k < 4; ++k) out.u8(static_cast<std::uint8_t>(bits >> (8 * k)));
    }
  }
}

WeekProfile WeekProfile::load(ByteReader& in) {
  WeekProfile profile;
  const std::uint64_t parts = in.count();
  if (parts != 0 && parts != kParts) throw Error(Code::kCorrupt, "drift: a week of another length");
  profile.parts_.resize(parts);
  for (Part& part : profile.parts_) {
    part.week = in.i64();
    for (std::size_t j = 0; j < kBins; ++j) {
      std::uint32_t bits = 0;
      for (int k = 0; k < 4; ++k) bits |= static_cast<std::uint32_t>(in.u8()) << (8 * k);
      part.counts[j] = std::bit_cast<float>(bits);
      if (!(part.counts[j] >= 0 && part.counts[j] < 1e30F)) throw Error(Code::kCorrupt, "drift: a count below zero");
      profile.all_[j] += part.counts[j];
    }
  }
  return profile;
}

}  // namespace tarry::quality
