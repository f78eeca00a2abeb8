// Gradients and features: dense, or sparse by index. A Covector only looks; the caller owns the numbers, which must
// stay where they are as long as the Covector, or a slice or multiple of it, is used. Nobody keeps one beyond a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tarry {

using Index = std::int64_t;
using Vec = std::vector<double>;

class Covector {
 public:
  static Covector dense(std::span<const double> values) { return Covector(values, {}, false); }
  // Indices strictly ascending.
  static Covector sparse(std::span<const Index> indices, std::span<const double> values) {
    return Covector(values, indices, true);
  }

  bool is_sparse() const { return sparse_; }
  std::span<const double> values() const { return values_; }
  std::span<const Index> indices() const { return indices_; }
  std::size_t stored() const { return values_.size(); }

  // Features of several outputs: equal parts, one after the other, each with its own indices. One part otherwise.
  std::size_t outputs() const { return outputs_; }
  Covector with_outputs(std::size_t outputs) const;
  Covector output(std::size_t k) const;

  Index offset() const { return offset_; }  // what a slice subtracts from its indices

  Index index(std::size_t j) const { return sparse_ ? indices_[j] - offset_ : static_cast<Index>(j); }

  // Calls f(index, value) for each stored entry, in ascending index.
  template <class F>
  void each(F f) const {
    if (sparse_)
      for (std::size_t j = 0; j < values_.size(); ++j) f(indices_[j] - offset_, values_[j]);
    else
      for (std::size_t i = 0; i < values_.size(); ++i) f(static_cast<Index>(i), values_[i]);
  }

  double norm() const;                               // ‖·‖₂
  void add_to(Vec& x, double factor = 1) const;      // x += factor · this
  double dot(std::span<const double> x) const;       // ⟨this, x⟩
  Covector times(double factor, Vec& values) const;  // factor · this, its values kept in `values`

  // The part with indices in [begin, end), renumbered from 0: what a block of a product sees.
  Covector slice(Index begin, Index end) const;

 private:
  Covector(std::span<const double> values, std::span<const Index> indices, bool sparse)
      : values_(values), indices_(indices), sparse_(sparse) {}

  std::span<const double> values_;
  std::span<const Index> indices_;
  bool sparse_;
  Index offset_ = 0;  // subtracted from every index: set by slice
  std::size_t outputs_ = 1;
};

}  // namespace tarry
