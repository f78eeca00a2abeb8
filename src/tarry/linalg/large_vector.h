// Vectors that begin at a cache line, and ask for large pages once they are long: swept end to end or read at random,
// an array of many small pages spends a fifth of the time on looking up addresses, and what is a line long must not lie
// in two.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace tarry {

void* allocate_large(std::size_t bytes);
void free_large(void* memory, std::size_t bytes) noexcept;

template <class T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_large(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { free_large(memory, count * sizeof(T)); }
  bool operator==(const LargePages&) const = default;
};

// The same without a first value: memory that nobody writes to is never asked for.
template <class T>
struct UnfilledPages : LargePages<T> {
  using value_type = T;
  UnfilledPages() = default;
  template <class U>
  UnfilledPages(const UnfilledPages<U>&) {}

  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }
};

template <class T>
using UnfilledVector = std::vector<T, UnfilledPages<T>>;
template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace tarry
