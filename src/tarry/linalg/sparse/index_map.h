// A flat hash map from coordinates to slots: open addressing, linear probing, never erases.
#pragma once

#include <cstdint>

#include "tarry/linalg/covector.h"
#include "tarry/linalg/large_vector.h"

namespace tarry {

class IndexMap {
 public:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  IndexMap() : cells_(16, Cell{-1, kAbsent}) {}

  std::uint32_t find(Index key) const { return cells_[cell_of(key)].slot; }

  // The slot that the key has; where it has none, `slot` becomes it.
  std::uint32_t find_or_insert(Index key, std::uint32_t slot) {
    if (2 * (size_ + 1) > cells_.size()) grow();
    Cell& cell = cells_[cell_of(key)];
    if (cell.key < 0) {
      cell = {key, slot};
      ++size_;
    }
    return cell.slot;
  }

  // Starts loading the cache line that find(key) will read. Inlined by force: GCC takes a call that only prefetches
  // for one without effect, and drops it.
  [[gnu::always_inline]] void prefetch(Index key) const { __builtin_prefetch(&cells_[home(key)]); }

  std::size_t size() const { return size_; }

 private:
  struct Cell {
    Index key;  // −1: empty
    std::uint32_t slot;
  };

  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t home(Index key) const {  // Fibonacci hashing: the high bits of the product are well mixed
    return static_cast<std::size_t>((static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15u) >> shift_);
  }
  // Where the key is, or the empty cell where it would go.
  std::size_t cell_of(Index key) const {
    std::size_t i = home(key);
    while (cells_[i].key != key && cells_[i].key >= 0) i = (i + 1) & mask();
    return i;
  }
  void grow() {
    LargeVector<Cell> old(2 * cells_.size(), Cell{-1, kAbsent});
    old.swap(cells_);
    --shift_;
    for (const Cell& cell : old)
      if (cell.key >= 0) cells_[cell_of(cell.key)] = cell;
  }

  LargeVector<Cell> cells_;
  std::size_t size_ = 0;
  int shift_ = 60;  // 64 − log₂ of the number of cells
};

}  // namespace tarry
