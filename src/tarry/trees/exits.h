// Which leaf of each tree a row ends in, for all trees at once and without following any (QuickScorer; Lucchese et al.
// 2015). The leaves of a tree are the bits of a mask, the lowest way first. Where a value is above a branch's cut, the
// row cannot end in the leaves below that branch on its low side: a mask takes these away, and of what all values
// leave, the first bit is the leaf. Between two neighbouring cuts of a column all values take the same away, so that
// is found beforehand, for all trees together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tarry::trees {

struct Tree;

class Exits {
 public:
  static constexpr std::size_t kMostLeaves = 32;  // of a tree

  explicit Exits(std::span<const Tree> trees);
  // `start` and the leaves of a row with these columns, tree by tree.
  double sum(double start, std::span<const float> row) const;

 private:
  static constexpr std::size_t kTogether = 32;  // trees
  using Masks = std::array<std::uint32_t, kTogether>;
  using Leaves = std::array<double, kMostLeaves>;
  struct Column {
    std::size_t column, cuts, first;  // in the row; how many, and where the first is
  };

  std::size_t trees_;
  std::vector<Column> columns_;  // that have cuts
  std::vector<float> cuts_;      // column after column, ascending
  std::vector<Masks> masks_;     // for each group of trees: of each cut, what remains above it
  std::vector<Leaves> leaves_;   // of each tree, the lowest way first
};

}  // namespace tarry::trees
