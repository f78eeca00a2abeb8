// A row as the learner's side sees it: slots and values, and which of them are named numbers. What a row does not have
// is 0, except for a named number, which then is missing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

struct Row {
  std::vector<Index> indices;  // ascending
  Vec values;
  std::vector<std::uint8_t> number;  // 1: a named number

  void clear() {
    indices.clear();
    values.clear();
    number.clear();
  }
  void reserve(std::size_t size) {
    indices.reserve(size);
    values.reserve(size);
    number.reserve(size);
  }
  void add(Index index, double value, bool is_number) {
    indices.push_back(index);
    values.push_back(value);
    number.push_back(is_number);
  }
  Covector covector() const { return Covector::sparse(indices, values); }

  bool operator==(const Row&) const = default;
};

// Good as long as what it looks at stays as it is. Looks at a Row, or at numbered features (dense, or {indices,
// values}); the first `numbers` of them are numbers.
class RowView {
 public:
  RowView(const Row& row) : entries_(row.covector()), number_(row.number) {}  // NOLINT(google-explicit-constructor)
  RowView(const Covector& numbered, Index numbers = 0)                        // NOLINT(google-explicit-constructor)
      : entries_(numbered), numbers_(numbers) {}

  const Covector& entries() const { return entries_; }

  // Calls f(index, value, is_number) for each stored entry, in ascending index.
  template <class F>
  void each(F f) const {
    std::size_t j = 0;
    entries_.each([&](Index i, double value) {
      f(i, value, number_.empty() ? i < numbers_ : number_[j] != 0);
      ++j;
    });
  }

 private:
  Covector entries_;
  std::span<const std::uint8_t> number_;
  Index numbers_ = 0;
};

}  // namespace tarry
