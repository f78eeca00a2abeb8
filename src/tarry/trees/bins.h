// Rows as trees are grown on them: a few columns, each cut into at most 64 bins, one byte a value. Made in small steps
// (work), so that no label waits for all of it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tarry/trees/kept_rows.h"

namespace tarry::trees {

class Bins {
 public:
  static constexpr std::size_t kMostColumns = 64, kMost = 64;  // columns, and bins of one
  static constexpr std::size_t kTogether = 4;

  Bins(std::uint64_t first, std::size_t rows) : first_(first), rows_(rows) {}

  // The next step; returns how many rows it looked at, 0 once everything is done.
  std::size_t work(const KeptRows& kept);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return slots_.size(); }
  const std::vector<std::uint32_t>& slots() const { return slots_; }
  const std::uint8_t* column(std::size_t c) const { return bytes_.data() + c * rows_; }  // each row's bin
  // Bins of all columns are numbered one after another: those of a row's values, without those of 0. Behind them come
  // some that stand for nothing, from all() on, so that rows differ less in how many they have, which is hard to
  // foresee: always a multiple of kTogether.
  std::span<const std::uint16_t> filled(std::size_t r) const {
    return std::span(entries_).subspan(ends_[r], ends_[r + 1] - ends_[r]);
  }
  std::size_t all() const { return offsets_.back(); }
  std::size_t offset(std::size_t column) const { return offsets_[column]; }
  std::size_t zero(std::size_t column) const { return zero_[column]; }  // its bin of 0
  std::size_t cuts(std::size_t column) const { return cuts_[column].size(); }
  // Values of bins up to this one are at most this.
  float cut(std::size_t column, std::size_t bin) const { return cuts_[column][bin]; }

 private:
  std::size_t count(const KeptRows& kept);
  void choose();
  std::size_t cut_column(const KeptRows& kept);
  std::size_t fill(const KeptRows& kept);
  std::uint8_t bin_of(std::size_t column, float value) const;

  std::uint64_t first_;
  std::size_t rows_;
  std::size_t counted_ = 0, filled_ = 0;            // rows
  std::map<std::uint32_t, std::size_t> rows_with_;  // a slot
  std::vector<std::uint32_t> slots_;                // of the columns, ascending
  std::vector<std::vector<float>> cuts_;            // of those that are cut already
  std::vector<std::uint8_t> zero_;
  std::vector<std::uint8_t> bytes_;  // column after column
  std::vector<std::size_t> offsets_ = {0}, ends_ = {0};
  std::vector<std::uint16_t> entries_;
};

}  // namespace tarry::trees
