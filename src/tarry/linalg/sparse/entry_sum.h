// A sparse matrix that grows by entries: the sum of the gradients received, in numbers of touched rows and columns.
// Kept by row and by column, so that both products only gather; new entries wait in a short list until it pays to file
// them.
#pragma once

#include <span>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/linalg/large_vector.h"
#include "tarry/linalg/sparse/index_map.h"

namespace tarry {

struct Entry {
  std::uint32_t major;
  std::uint32_t minor;
  double value;
};

// The entries in one order: lines of ascending `minor`, one after the other.
class Compressed {
 public:
  double* find(std::uint32_t major, std::uint32_t minor);
  void absorb(const std::vector<Entry>& entries);                         // ascending, none of them there yet
  void multiply(std::span<const double> x, std::span<double> out) const;  // out_major = Σ value · x_minor
  std::size_t size() const { return at_.size(); }
  template <class F>
  void each(F f) const {
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i)
      for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) f(static_cast<std::uint32_t>(i), at_[k], value_[k]);
  }

 private:
  std::vector<std::size_t> begin_{0};
  LargeVector<std::uint32_t> at_;
  LargeVector<double> value_;
};

class EntrySum {
 public:
  void add(std::uint32_t row, std::uint32_t col, double x);
  void multiply(std::span<const double> x, std::span<double> out) const;             // out = S x
  void multiply_transposed(std::span<const double> x, std::span<double> out) const;  // out = Sᵀ x
  double norm() const;                                                               // ‖S‖_F
  std::size_t size() const { return by_row_.size() + recent_.size(); }
  template <class F>
  void each(F f) const {  // f(row, col, value)
    by_row_.each(f);
    for (const Entry& e : recent_) f(e.major, e.minor, e.value);
  }
  void clear() { *this = EntrySum(); }

  void save(ByteWriter& out) const;
  void load(ByteReader& in, std::size_t rows, std::size_t cols);  // in place of what was there

 private:
  void file_recent();

  Compressed by_row_, by_col_;
  std::vector<Entry> recent_;  // by row
  IndexMap recent_at_;
};

}  // namespace tarry
