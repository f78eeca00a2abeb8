// Blocks of one kind that never move, cut from pieces of memory that grow up to a few megabytes: a million small
// allocations would lie in as many small pages, and each look at one of them cost the look-up of an address.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#include "tarry/linalg/large_vector.h"

namespace tarry {

template <class T>
class Slabs {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64 && sizeof(T) >= 64);

 public:
  Slabs() = default;
  Slabs(Slabs&&) noexcept = default;
  Slabs& operator=(Slabs&&) noexcept = default;
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  // One more, as T() is; it stays where it is as long as this does.
  T* add() {
    if (slabs_.empty() || used_ == slabs_.back().size()) {
      slabs_.emplace_back(std::clamp(made_ * sizeof(T), sizeof(T), std::max(sizeof(T), kMost / sizeof(T) * sizeof(T))));
      used_ = 0;
    }
    void* at = slabs_.back().data() + used_;
    used_ += sizeof(T);
    ++made_;
    return ::new (at) T();
  }

 private:
  static constexpr std::size_t kMost = std::size_t{4} << 20;

  std::vector<UnfilledVector<std::byte>> slabs_;
  std::size_t used_ = 0;  // bytes of the last one
  std::size_t made_ = 0;
};

}  // namespace tarry
