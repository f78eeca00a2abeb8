// The rows, or columns, of a matrix that anything has touched, numbered in the order in which they were.
#pragma once

#include <limits>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/linalg/sparse/index_map.h"

namespace tarry {

class Axis {
 public:
  explicit Axis(Index length) : length_(length) {}

  std::size_t size() const { return at_.size(); }
  const std::vector<Index>& at() const { return at_; }  // the index of each number
  Index length() const { return length_; }              // of the whole side

  std::uint32_t find(Index i) const { return number_of_.find(i); }  // IndexMap::kAbsent where nothing touched it
  std::uint32_t touch(Index i) {
    const auto next = static_cast<std::uint32_t>(at_.size());
    if (next > kMost) throw Error(Code::kOutOfMemory, "factored track: more than 2^31 rows or columns were touched");
    const std::uint32_t number = number_of_.find_or_insert(i, next);
    if (number == next) at_.push_back(i);
    return number;
  }

  void save(ByteWriter& out) const { out.integers(at_); }
  void load(ByteReader& in) {
    Axis fresh(length_);
    for (Index i : in.integers()) {
      if (i < 0 || i >= length_ || fresh.find(i) != IndexMap::kAbsent)
        throw Error(Code::kCorrupt, "snapshot: a row or column is impossible");
      fresh.touch(i);
    }
    *this = std::move(fresh);
  }

 private:
  static constexpr std::uint32_t kMost = std::numeric_limits<std::int32_t>::max();

  Index length_;
  std::vector<Index> at_;
  IndexMap number_of_;
};

}  // namespace tarry
