// A sum of regression trees over the values of some slots. Once made it does not change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tarry/base/bytes.h"

namespace tarry::trees {

// A place where a row goes one of two ways: to `low` where its value is at most `cut`. A way is a branch of the same
// tree or, below 0, the leaf −1 − way.
struct Branch {
  std::uint32_t column = 0;
  float cut = 0;
  std::int32_t low = -1, high = -1;
};

struct Tree {
  std::vector<Branch> branches;  // the first is the root; a branch comes before those it leads to
  std::vector<double> leaves;    // at least one
};

class Ensemble {
 public:
  Ensemble() = default;
  // `slots`: of the columns, ascending.
  Ensemble(std::vector<std::uint32_t> slots, double start) : slots_(std::move(slots)), start_(start) {}

  void add(const Tree& tree);
  std::size_t size() const { return trees_.size(); }
  double predict(std::span<const std::int64_t> slots, std::span<const double> values) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::vector<std::uint32_t> slots_;
  double start_ = 0;
  std::vector<Tree> trees_;
};

}  // namespace tarry::trees
