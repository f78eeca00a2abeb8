// Labelled rows that trees are grown on, in the order in which their labels came, numbered from 0. Of a row only what
// it has is kept: four bytes for each slot and four for its value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tarry/base/bytes.h"

namespace tarry::trees {

struct KeptRow {
  std::span<const std::uint32_t> slots;  // ascending
  std::span<const float> values;
  double label;
};

class KeptRows {
 public:
  static constexpr std::size_t kMostEntries = 64;  // of a row; wider ones are not for trees
  static constexpr std::int64_t kMostSlots = std::int64_t{1} << 20;

  static bool fits(std::span<const std::int64_t> slots) {
    return slots.size() <= kMostEntries && (slots.empty() || slots.back() < kMostSlots);
  }
  void add(std::span<const std::int64_t> slots, std::span<const double> values, double label);
  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return first_ + labels_.size(); }
  KeptRow row(std::uint64_t number) const;
  void drop_before(std::uint64_t number);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::size_t begin_of(std::uint64_t number) const { return number == first_ ? 0 : ends_[number - first_ - 1]; }

  std::uint64_t first_ = 0;
  std::vector<std::size_t> ends_;  // of each row's entries
  std::vector<double> labels_;
  std::vector<std::uint32_t> slots_;
  std::vector<float> values_;
};

}  // namespace tarry::trees
