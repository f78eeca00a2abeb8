// An array by index that has memory only where it was touched, in pages of 64 elements, zeroed at first touch. Elements
// never move.
//
// Pages of the first four million indices, where names and most data live, are in a table that grows with the largest
// index touched; the others in a hash map. Either way memory follows what was touched, not the dimension.
//
// Why three stores: an element here is one load behind its table, in CoordinateNumbers two, which doubles the time of a
// touch where names lie close (7.5 ns against 3.5) and takes a sixth where they are scattered over 2^40. The sparse
// track looks coordinates up in an IndexMap alone: a table of slots would find them sooner below four million, but take
// a kilobyte for each that is by itself, where the track promises about a hundred bytes.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tarry/linalg/sparse/index_map.h"
#include "tarry/linalg/sparse/slabs.h"

namespace tarry {

template <class T>
class Paged {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr Index kPage = 64;  // elements

  Paged() = default;
  Paged(Paged&&) noexcept = default;
  Paged& operator=(Paged&&) noexcept = default;
  Paged(const Paged& other) {
    other.each_page([&](Index begin, std::span<const T> from) { std::copy(from.begin(), from.end(), &at(begin)); });
  }
  Paged& operator=(const Paged& other) {
    if (this != &other) *this = Paged(other);
    return *this;
  }

  // The element, or null where its page was never touched. Indices are not negative.
  const T* find(Index i) const {
    const Page* page = page_of(i >> kShift);
    return page == nullptr ? nullptr : &(*page)[in_page(i)];
  }
  T* find(Index i) { return const_cast<T*>(std::as_const(*this).find(i)); }

  // The elements of a row's entries, as find() has them; starts loading them, as rare ones are far apart in memory.
  void find_row(const Covector& row, std::vector<T*>& found) {
    const std::size_t count = row.stored();
    if (found.size() != count) found.resize(count);
    T** const to = found.data();
    const Index* const indices = row.is_sparse() ? row.indices().data() : nullptr;
    const Index offset = row.offset(), pages = static_cast<Index>(near_.size());
    Page* const* const near = near_.data();
    for (std::size_t j = 0; j < count; ++j) {
      const Index i = indices != nullptr ? indices[j] - offset : static_cast<Index>(j), k = i >> kShift;
      Page* const page = k < pages ? near[k] : const_cast<Page*>(page_of(k));
      to[j] = page == nullptr ? nullptr : &(*page)[in_page(i)];
      __builtin_prefetch(to[j]);
    }
  }

  // The element; touches its page.
  T& at(Index i) {
    const Page* page = page_of(i >> kShift);
    return (page == nullptr ? make(i >> kShift) : const_cast<Page&>(*page))[in_page(i)];
  }

  // Calls f(first index, span of 64 elements) for every page touched, in ascending order.
  template <class F>
  void each_page(F f) const {
    std::vector<std::size_t> order(pages_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return numbers_[a] < numbers_[b]; });
    for (const std::size_t k : order) f(numbers_[k] * kPage, std::span<const T>(*pages_[k]));
  }

  // Calls f(index, element) for every element of the pages touched, in ascending order.
  template <class F>
  void each(F f) const {
    each_page([&](Index begin, std::span<const T> page) {
      for (const T& x : page) f(begin++, x);
    });
  }

  std::size_t pages() const { return pages_.size(); }
  std::size_t bytes() const {  // about what it holds
    return pages_.size() * (sizeof(Page) + 2 * sizeof(Index)) + near_.size() * sizeof(Page*) + far_.size() * 32;
  }

 private:
  using Elements = std::array<T, kPage>;
  struct alignas(64) Page : Elements {};
  static constexpr int kShift = 6;
  static constexpr Index kNear = 1 << 16;  // pages

  static std::size_t in_page(Index i) { return static_cast<std::size_t>(i & (kPage - 1)); }

  const Page* page_of(Index number) const {
    const auto k = static_cast<std::size_t>(number);
    if (k < near_.size()) return near_[k];
    if (number < kNear) return nullptr;
    const std::uint32_t at = far_.find(number);
    return at == IndexMap::kAbsent ? nullptr : pages_[at];
  }

  Page& make(Index number) {
    pages_.push_back(slabs_.add());
    numbers_.push_back(number);
    Page* page = pages_.back();
    if (number < kNear) {
      const auto k = static_cast<std::size_t>(number);
      if (k >= near_.size()) near_.resize(std::min<std::size_t>(kNear, std::max(k + 1, 2 * near_.size())));
      near_[k] = page;
    } else {
      far_.find_or_insert(number, static_cast<std::uint32_t>(pages_.size() - 1));
    }
    return *page;
  }

  Slabs<Page> slabs_;
  std::vector<Page*> pages_;    // in the order of touch
  std::vector<Index> numbers_;  // of these pages
  std::vector<Page*> near_;     // by number; null: never touched
  IndexMap far_;                // number → place in pages_
};

}  // namespace tarry
