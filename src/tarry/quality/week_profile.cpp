#include "tarry/quality/week_profile.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "tarry/base/error.h"

namespace tarry::quality {
namespace {

constexpr double kWeekPull = 20;    // values of the whole week that stand in for the few of a part
constexpr float kWeekKept = 0.75F;  // of a part, when its time comes again

}  // namespace

WeekProfile::Usual WeekProfile::usual(std::int64_t ms, const Lately& without) const {
  Usual found;
  if (parts_.empty()) return found;
  BinCounts part = parts_[part_of(ms)].counts;
  std::array<double, kBins> week = all_;
  for (const auto& [where, counts] : without.parts_) {
    for (std::size_t j = 0; j < kBins; ++j) {
      week[j] = std::max(0.0, week[j] - counts[j]);
      if (where == part_of(ms)) part[j] = std::max(0.0F, part[j] - counts[j]);
    }
  }
  const double all = std::accumulate(week.begin(), week.end(), 0.0);
  if (all <= 0) return found;
  const double own = std::accumulate(part.begin(), part.end(), 0.0);
  found.count = own + std::min(all, kWeekPull);
  for (std::size_t j = 0; j < kBins; ++j) found.share[j] = (part[j] + kWeekPull * week[j] / all) / (own + kWeekPull);
  return found;
}

void WeekProfile::Lately::add(std::int64_t ms, const BinCounts& counts) {
  const std::size_t part = part_of(ms);
  auto at = std::find_if(parts_.begin(), parts_.end(), [&](const auto& one) { return one.first == part; });
  if (at == parts_.end()) at = parts_.insert(at, {part, {}});
  for (std::size_t j = 0; j < kBins; ++j) at->second[j] += counts[j];
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
