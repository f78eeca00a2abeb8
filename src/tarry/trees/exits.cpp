#include "tarry/trees/exits.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "tarry/trees/bins.h"
#include "tarry/trees/ensemble.h"

namespace tarry::trees {
namespace {

constexpr std::uint32_t kAll = ~std::uint32_t{0};

struct Above {  // a branch's cut
  std::uint32_t column;
  float cut;
  std::size_t tree;
  std::uint32_t left;  // the leaves where a row may end
  bool operator<(const Above& other) const {
    return column < other.column || (column == other.column && cut < other.cut);
  }
};

// One tree's branches and leaves, the lowest way first.
struct Walk {
  const Tree& tree;
  std::size_t number;
  std::vector<Above>& found;
  std::span<double> leaves;
  std::uint32_t passed = 0;

  void go(std::int32_t way) {
    if (way < 0) {
      leaves[passed++] = tree.leaves[static_cast<std::size_t>(-1 - way)];
      return;
    }
    const Branch& branch = tree.branches[static_cast<std::size_t>(way)];
    const auto below = [&] { return (std::uint64_t{1} << passed) - 1; };  // the leaves so far
    const std::uint64_t before = below();
    go(branch.low);
    found.push_back({branch.column, branch.cut, number, ~static_cast<std::uint32_t>(below() ^ before)});
    go(branch.high);
  }
};

}  // namespace

Exits::Exits(std::span<const Tree> trees) : trees_(trees.size()), leaves_(trees.size()) {
  std::vector<Above> all;
  for (std::size_t t = 0; t < trees_; ++t) Walk{trees[t], t, all, leaves_[t]}.go(trees[t].branches.empty() ? -1 : 0);
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> of;  // the cut of each
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool column = columns_.empty() || columns_.back().column != all[i].column;
    if (column) columns_.push_back({all[i].column, 0, cuts_.size()});
    if (column || cuts_.back() != all[i].cut) {
      cuts_.push_back(all[i].cut);
      ++columns_.back().cuts;
    }
    of.push_back(cuts_.size() - 1);
  }
  const std::size_t groups = (trees_ + kTogether - 1) / kTogether;
  masks_.resize(groups * cuts_.size());
  for (Masks& masks : masks_) masks.fill(kAll);
  for (std::size_t i = 0; i < all.size(); ++i)
    masks_[all[i].tree / kTogether * cuts_.size() + of[i]][all[i].tree % kTogether] &= all[i].left;
  for (std::size_t group = 0; group < groups; ++group)
    for (const Column& column : columns_)
      for (std::size_t i = column.first + 1; i < column.first + column.cuts; ++i) {
        const Masks& lower = masks_[group * cuts_.size() + i - 1];
        Masks& masks = masks_[group * cuts_.size() + i];
        for (std::size_t k = 0; k < kTogether; ++k) masks[k] &= lower[k];
      }
}

double Exits::sum(double start, std::span<const float> row) const {
  std::array<std::size_t, Bins::kMostColumns> above;  // the highest cut below each value
  std::size_t count = 0;
  for (const Column& column : columns_) {
    const float value = row[column.column];
    const float* const cuts = cuts_.data() + column.first;
    std::uint32_t passed = 0;
    for (std::size_t i = 0; i < column.cuts; ++i) passed += value <= cuts[i] ? 0 : 1;
    if (passed > 0) above[count++] = column.first + passed - 1;
  }
  double sum = start;
  for (std::size_t first = 0; first < trees_; first += kTogether) {
    const Masks* const masks = masks_.data() + first / kTogether * cuts_.size();
    Masks left;
    left.fill(kAll);
    for (std::size_t i = 0; i < count; ++i) {
      const Masks& one = masks[above[i]];
      for (std::size_t k = 0; k < kTogether; ++k) left[k] &= one[k];
    }
    for (std::size_t t = first; t < std::min(trees_, first + kTogether); ++t)
      sum += leaves_[t][static_cast<std::size_t>(std::countr_zero(left[t - first]))];
  }
  return sum;
}

}  // namespace tarry::trees
