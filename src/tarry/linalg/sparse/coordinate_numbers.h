// A few numbers for each coordinate that was touched, side by side: what learners keep of one coordinate. Memory, time
// and snapshots follow what was touched, not the dimension. Once a quarter of all coordinates was, there is room for
// each of them, and none is looked up any more, unless there are too many.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/linalg/large_vector.h"
#include "tarry/linalg/sparse/coordinate_slots.h"
#include "tarry/linalg/sparse/number_slabs.h"

namespace tarry {

class CoordinateNumbers {
 public:
  CoordinateNumbers(Index dimension, std::size_t each);  // `each` numbers a coordinate

  Index dimension() const { return dimension_; }
  std::size_t each() const { return each_; }
  std::size_t touched() const { return all_.empty() ? slots_.size() : static_cast<std::size_t>(dimension_); }

  // A coordinate's numbers; null where it has none yet. They are this object's own and stay where they are until
  // settle(), load() or its end.
  const double* find(Index i) const {
    if (!all_.empty()) return all_.data() + static_cast<std::size_t>(i) * stride_;
    const std::uint32_t slot = slots_.find(i);
    return slot == CoordinateSlots::kNone ? nullptr : numbers_.at(slot);
  }
  // Where places are not in the cache, starts loading those of a row that find() and touch() will look up next.
  [[gnu::always_inline]] void expect(const Covector& row) const {
    if (all_.empty() && !slots_.fits_the_cache()) slots_.prefetch(row);
  }
  // Calls f(coordinate, value, its numbers or null) for each entry of a row, in its order. Many are looked up before
  // the first is used: their ways from memory overlap.
  template <class F>
  void each_found(const Covector& row, F f) const {
    std::array<const double*, kTogether> found;
    for (std::size_t begin = 0; begin < row.stored(); begin += kTogether) {
      const std::size_t count = std::min(kTogether, row.stored() - begin);
      for (std::size_t j = 0; j < count; ++j) {
        found[j] = find(row.index(begin + j));
        if (found[j] != nullptr) __builtin_prefetch(found[j]);
      }
      for (std::size_t j = 0; j < count; ++j) f(row.index(begin + j), row.values()[begin + j], found[j]);
    }
  }

  // They begin as begin(coordinate, numbers) writes them, and stay where they are until settle().
  template <class Begin>
  double* touch(Index i, Begin begin) {
    if (!all_.empty()) return all_.data() + static_cast<std::size_t>(i) * stride_;
    const std::uint32_t slot = slots_.touch(i);
    if (slot < filled_) return numbers_.at(slot);
    double* numbers = add(slot);
    begin(i, numbers);
    return numbers;
  }
  double* touch(Index i) {  // as 0
    return touch(i, [](Index, double*) {});
  }
  // Where the numbers of a row's entries from `begin` on are, as many as there is room for; `none` where there are
  // none.
  void find_row(const Covector& row, std::size_t begin, std::span<const double*> found,
                const double* none = nullptr) const {
    if (!all_.empty()) {
      for (std::size_t j = 0; j < found.size(); ++j)
        found[j] = all_.data() + static_cast<std::size_t>(row.index(begin + j)) * stride_;
      return;
    }
    const double** const to = found.data();
    slots_.each_in_row(row, begin, found.size(),
                       [to, none, at = numbers_.look_up()](std::size_t j, std::uint32_t slot) {
                         const double* numbers = none;
                         if (slot != CoordinateSlots::kNone) [[likely]] {
                           numbers = at(slot);
                           __builtin_prefetch(numbers);
                         }
                         to[j] = numbers;
                       });
  }
  // The same, touched, for a row's entries that are not 0; null for the others.
  template <class Begin>
  void touch_row(const Covector& row, std::vector<double*>& found, Begin begin) {
    place_.resize(row.stored());
    find_row(row, 0, place_);
    touch_found(row, place_, nullptr, found, begin);
  }
  // The same for a row that find_row() found; `none` marks the entries that had no numbers then.
  template <class Begin>
  void touch_found(const Covector& row, std::span<const double* const> before, const double* none,
                   std::vector<double*>& found, Begin begin) {
    const std::size_t count = row.stored();
    if (found.size() != count) found.resize(count);
    const double* const values = row.values().data();
    double** const to = found.data();
    const bool second = each_ > kCacheLine;
    for (std::size_t j = 0; j < count; ++j) {
      double* numbers = const_cast<double*>(before[j]);  // of this object, whose numbers are its own
      if (values[j] == 0)
        numbers = nullptr;
      else if (numbers == none) [[unlikely]]
        numbers = touch_new(row.index(j), begin);
      if (second && numbers != nullptr) __builtin_prefetch(numbers + kCacheLine);
      to[j] = numbers;
    }
  }
  // Makes room for all coordinates, where enough of them were touched and there are at most so many. Whether it did.
  template <class Begin>
  bool settle(Begin begin, Index most = std::numeric_limits<Index>::max()) {
    if (!all_.empty() || dimension_ > most || 4 * static_cast<Index>(slots_.size()) < dimension_) return false;
    LargeVector<double> all(static_cast<std::size_t>(dimension_) * stride_);
    for (Index i = 0; i < dimension_; ++i) {
      double* to = all.data() + static_cast<std::size_t>(i) * stride_;
      if (const double* from = find(i))
        std::copy(from, from + each_, to);
      else
        begin(i, to);
    }
    *this = CoordinateNumbers(dimension_, each_);
    all_ = std::move(all);
    return true;
  }
  void settle() {
    settle([](Index, double*) {});
  }

  // Calls f(coordinate, numbers) for every coordinate that has numbers, in ascending order. They are looked up ahead of
  // their turn: numbers are kept in the order of their first touch, far from each other in this one.
  template <class F>
  void each_touched(F f) const {
    if (!all_.empty())
      for (Index i = 0; i < dimension_; ++i) f(i, find(i));
    std::array<std::pair<Index, const double*>, kTogether> ahead;
    std::size_t seen = 0;
    slots_.each([&](Index i, std::uint32_t slot) {
      const double* numbers = numbers_.at(slot);
      for (std::size_t k = 0; k < each_; k += kCacheLine) __builtin_prefetch(numbers + k);
      auto& [coordinate, its] = ahead[seen++ % kTogether];
      if (seen > kTogether) f(coordinate, its);
      coordinate = i;
      its = numbers;
    });
    for (std::size_t left = std::min(seen, kTogether); left > 0; --left) {
      const auto& [coordinate, its] = ahead[(seen - left) % kTogether];
      f(coordinate, its);
    }
  }

  // Only the coordinates for which changed(coordinate, numbers), so that equal states are equal bytes however they came
  // about.
  template <class Changed>
  void save(ByteWriter& out, Changed changed) const {
    const std::uint64_t count = count_changed(changed);
    out.i64(dimension_);
    out.u64(each_);
    out.u64(count);
    each_touched([&](Index i, const double* numbers) {
      if (!changed(i, numbers)) return;
      out.i64(i);
      out.raw({reinterpret_cast<const char*>(numbers), each_ * sizeof(double)});
    });
  }
  void save(ByteWriter& out) const;  // those with a number that is not 0

  // Replaces what was there; throws Error{kCorrupt} where the numbers are of another dimension or in disorder.
  void load(ByteReader& in);

 private:
  static constexpr std::size_t kTogether = 32, kCacheLine = 8;  // numbers
  double* add(std::uint32_t slot);
  // In the order of memory.
  template <class Changed>
  std::uint64_t count_changed(Changed changed) const {
    std::uint64_t count = 0;
    if (!all_.empty())
      for (Index i = 0; i < dimension_; ++i) count += changed(i, find(i)) ? 1 : 0;
    for (std::uint32_t slot = 0; slot < filled_; ++slot)
      count += changed(slots_.coordinate(slot), numbers_.at(slot)) ? 1 : 0;
    return count;
  }
  template <class Begin>
  [[gnu::noinline]] double* touch_new(Index i, const Begin& begin) {
    return touch(i, begin);
  }

  Index dimension_;
  std::size_t each_;
  std::size_t stride_;  // a power of two: as few cache lines as there can be
  CoordinateSlots slots_;
  std::uint32_t filled_ = 0;
  NumberSlabs numbers_;
  LargeVector<double> all_;           // coordinate by coordinate, once settled
  std::vector<const double*> place_;  // of one row: its memory is used again
};

}  // namespace tarry
