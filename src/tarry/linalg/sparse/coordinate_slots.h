// Which coordinates were touched, numbered in the order of their first touch: memory follows what was touched, and
// what is kept by slot is together, the frequent coordinates first.
//
// The first four million coordinates are looked up in a table that exists where it is needed, the others in a hash map.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "tarry/linalg/sparse/index_map.h"
#include "tarry/linalg/sparse/slabs.h"

namespace tarry {

class CoordinateSlots {
  static constexpr int kShift = 8;
  using Leaf = std::array<std::uint32_t, std::size_t{1} << kShift>;

 public:
  static constexpr std::uint32_t kNone = IndexMap::kAbsent;

  CoordinateSlots() = default;
  CoordinateSlots(CoordinateSlots&&) noexcept = default;
  CoordinateSlots& operator=(CoordinateSlots&&) noexcept = default;
  CoordinateSlots(const CoordinateSlots& other) {
    for (const Index i : other.coordinates_) touch(i);
  }
  CoordinateSlots& operator=(const CoordinateSlots& other) {
    if (this != &other) *this = CoordinateSlots(other);
    return *this;
  }

  // A coordinate's slot, or kNone. Coordinates are not negative.
  std::uint32_t find(Index i) const {
    if (i >= kNear) return far_.find(i);
    const auto k = static_cast<std::size_t>(i >> kShift);
    return k < near_.size() && near_[k] != nullptr ? (*near_[k])[in_leaf(i)] : kNone;
  }
  // Starts loading what each_in_row() will read. Inlined by force, as IndexMap's.
  [[gnu::always_inline]] void prefetch(const Covector& row) const {
    const std::size_t count = row.stored();
    const Index* const indices = row.is_sparse() ? row.indices().data() : nullptr;
    const Index offset = row.offset();
    const std::size_t leaves = near_.size();
    const Leaf* const* const near = near_.data();
    for (std::size_t j = 0; j < count; ++j) {
      const Index i = indices != nullptr ? indices[j] - offset : static_cast<Index>(j);
      const auto k = static_cast<std::size_t>(i >> kShift);
      if (k < leaves && near[k] != nullptr) [[likely]]
        __builtin_prefetch(near[k]->data() + in_leaf(i));
      else if (i >= kNear)
        far_.prefetch(i);
    }
  }
  // Calls f(j, the slot of a row's entry begin + j, or kNone) for j below count.
  template <class F>
  void each_in_row(const Covector& row, std::size_t begin, std::size_t count, F f) const {
    if (!row.is_sparse()) {
      for (std::size_t j = 0; j < count; ++j) f(j, find(static_cast<Index>(begin + j)));
      return;
    }
    const Index* const indices = row.indices().data() + begin;
    const Index offset = row.offset();
    const Leaf* const* const near = near_.data();
    const auto leaves = static_cast<Index>(near_.size());
    for (std::size_t j = 0; j < count; ++j) {
      const Index i = indices[j] - offset, k = i >> kShift;
      if (k < leaves) [[likely]]
        f(j, near[k] != nullptr ? (*near[k])[in_leaf(i)] : kNone);
      else
        f(j, i < kNear ? kNone : far_.find(i));
    }
  }
  std::uint32_t touch(Index i) {
    const std::uint32_t found = find(i);
    return found != kNone ? found : add(i);
  }

  std::size_t size() const { return coordinates_.size(); }
  // Whether the tables are so small that what find() reads of them is at hand.
  bool fits_the_cache() const { return near_.size() < kFewLeaves && far_.size() < kFewFar; }
  Index coordinate(std::uint32_t slot) const { return coordinates_[slot]; }

  // Calls f(coordinate, slot) in ascending order of coordinates.
  template <class F>
  void each(F f) const {
    for (const Leaf* leaf : near_) {
      if (leaf == nullptr) continue;
      for (const std::uint32_t slot : *leaf)
        if (slot != kNone) f(coordinates_[slot], slot);
    }
    if (far_.size() == 0) return;
    std::vector<std::uint32_t> order;
    for (std::size_t k = 0; k < size(); ++k)
      if (coordinates_[k] >= kNear) order.push_back(static_cast<std::uint32_t>(k));
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return coordinates_[a] < coordinates_[b]; });
    for (const std::uint32_t slot : order) f(coordinates_[slot], slot);
  }

 private:
  static constexpr Index kNear = Index{1} << 22;
  static constexpr std::size_t kFewLeaves = 512, kFewFar = std::size_t{1} << 14;  // of a kilobyte, and of 32 bytes each

  static std::size_t in_leaf(Index i) { return static_cast<std::size_t>(i) & ((std::size_t{1} << kShift) - 1); }
  std::uint32_t add(Index i);

  Slabs<Leaf> leaves_;
  std::vector<Index> coordinates_;  // by slot
  std::vector<Leaf*> near_;         // by coordinate / 256; null: none of them was touched
  IndexMap far_;
};

}  // namespace tarry
