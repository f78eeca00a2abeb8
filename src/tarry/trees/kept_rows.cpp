#include "tarry/trees/kept_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry::trees {
namespace {

constexpr double kLargestValue = std::numeric_limits<float>::max();

}  // namespace

void KeptRows::add(std::span<const std::int64_t> slots, std::span<const double> values, double label) {
  ensure(fits(slots) && slots.size() == values.size(), "a row that is kept for trees is narrow enough");
  for (std::size_t i = 0; i < slots.size(); ++i) {
    slots_.push_back(static_cast<std::uint32_t>(slots[i]));
    values_.push_back(static_cast<float>(std::clamp(values[i], -kLargestValue, kLargestValue)));
  }
  ends_.push_back(slots_.size());
  labels_.push_back(label);
}

KeptRow KeptRows::row(std::uint64_t number) const {
  const std::size_t begin = begin_of(number), end = ends_[number - first_];
  return {std::span(slots_).subspan(begin, end - begin), std::span(values_).subspan(begin, end - begin),
          labels_[number - first_]};
}

void KeptRows::drop_before(std::uint64_t number) {
  if (number <= first_) return;
  const auto rows = static_cast<std::ptrdiff_t>(number - first_);
  const std::size_t entries = begin_of(number);
  slots_.erase(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(entries));
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(entries));
  labels_.erase(labels_.begin(), labels_.begin() + rows);
  ends_.erase(ends_.begin(), ends_.begin() + rows);
  for (std::size_t& end : ends_) end -= entries;
  first_ = number;
}

void KeptRows::save(ByteWriter& out) const {
  out.u64(first_);
  out.u64(labels_.size());
  for (std::uint64_t number = first_; number < end(); ++number) {
    const KeptRow x = row(number);
    out.f64(x.label);
    out.u64(x.slots.size());
    for (std::size_t i = 0; i < x.slots.size(); ++i) {
      out.u64(x.slots[i]);
      out.f64(static_cast<double>(x.values[i]));
    }
  }
}

void KeptRows::load(ByteReader& in) {
  KeptRows fresh;
  fresh.first_ = in.u64();
  for (std::uint64_t left = in.count(16); left > 0; --left) {
    const double label = in.finite();
    std::int64_t last = -1;
    const std::uint64_t entries = in.count(16);
    for (std::uint64_t i = 0; i < entries; ++i) {
      const std::uint64_t slot = in.u64();
      const double value = in.finite();
      if (entries > kMostEntries || slot >= kMostSlots || static_cast<std::int64_t>(slot) <= last ||
          std::fabs(value) > kLargestValue)
        throw Error(Code::kCorrupt, "snapshot: a row that trees keep is impossible");
      last = static_cast<std::int64_t>(slot);
      fresh.slots_.push_back(static_cast<std::uint32_t>(slot));
      fresh.values_.push_back(static_cast<float>(value));
    }
    fresh.ends_.push_back(fresh.slots_.size());
    fresh.labels_.push_back(label);
  }
  *this = std::move(fresh);
}

}  // namespace tarry::trees
