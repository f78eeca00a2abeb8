// Columns side by side, all of one height that only grows: a column that was made earlier is shorter, and zero below
// its end.
#pragma once

#include <span>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/linalg/covector.h"

namespace tarry {

class Panel {
 public:
  Panel() = default;
  explicit Panel(std::vector<Vec> columns) : columns_(std::move(columns)) {}

  std::size_t size() const { return columns_.size(); }
  const std::vector<Vec>& columns() const { return columns_; }
  void append(Vec column) { columns_.push_back(std::move(column)); }
  void clear() { columns_.clear(); }
  double at(std::size_t row, std::size_t k) const { return row < columns_[k].size() ? columns_[k][row] : 0; }

  Vec dots(std::span<const double> x) const;                                   // ⟨column k, x⟩ for each k
  void combine(std::span<const double> weights, std::span<double> out) const;  // out += Σ weights_k · column k

  void save(ByteWriter& out) const;
  void load(ByteReader& in, std::size_t height);

 private:
  std::vector<Vec> columns_;
};

}  // namespace tarry
