// A sum of regression trees over the values of some slots. Once it is done it does not change.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/trees/exits.h"

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

  void add(Tree tree) { trees_.push_back(std::move(tree)); }
  void done() { exits_.emplace(trees_); }  // all trees are there
  std::size_t size() const { return trees_.size(); }
  // Only once it is done.
  double predict(std::span<const std::int64_t> slots, std::span<const double> values) const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::vector<std::uint32_t> slots_;
  double start_ = 0;
  std::vector<Tree> trees_;
  std::optional<Exits> exits_;
};

}  // namespace tarry::trees
