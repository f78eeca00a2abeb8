// Sparse rows in memory. A table's rows mostly have the same indices, and rows of words the same values, all 1: a list
// that begins like the last one kept is not kept again. That halves what is written, which costs more than reading it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry::data {

class SparseRows {
 public:
  std::size_t size() const { return rows_.size(); }
  Covector operator[](std::size_t row) const {
    const auto& [indices, values, count] = rows_[row];
    return Covector::sparse(indices_.from(indices, count), values_.from(values, count));
  }

  // ---- the row under way: its indices must ascend when it ends
  void add(Index index, double value) {
    indices_.all.push_back(index);
    values_.all.push_back(value);
  }
  std::span<const Index> open_indices() const { return std::span(indices_.all).subspan(indices_.end); }
  std::span<const double> open_values() const { return std::span(values_.all).subspan(values_.end); }
  void clear_open();
  void end_row();

  // The rows so far are about this share of all: makes room for the others.
  void make_room(double share);

  std::size_t kept() const { return indices_.all.size() + values_.all.size(); }  // numbers in memory

 private:
  // Lists one after another, and behind them that of the row under way.
  template <class T>
  struct Lists {
    std::vector<T> all;
    std::size_t last = 0, end = 0;  // the last list is [last, end)

    std::span<const T> from(std::size_t begin, std::size_t count) const { return {all.data() + begin, count}; }
    std::size_t close();  // the list under way; where it is kept
  };

  struct Row {
    std::size_t indices, values, count;
  };
  std::vector<Row> rows_;
  Lists<Index> indices_;
  Lists<double> values_;
};

}  // namespace tarry::data
