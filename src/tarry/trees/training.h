// Gradient boosting (Friedman 2001) over kept rows, a little with each label: bins, then tree by tree the slopes of the
// loss at the rows' scores and a tree that follows them down. Where rows are many, each tree sees some of them, drawn
// for it alone (Friedman 2002): less work, and trees that differ.
#pragma once

#include <cstdint>
#include <vector>

#include "tarry/trees/bins.h"
#include "tarry/trees/ensemble.h"
#include "tarry/trees/growth.h"

namespace tarry::trees {

enum class Fits { kNumbers, kOdds };  // means of labels, or the logarithm of the odds that one is above 0

class Training {
 public:
  Training(std::uint64_t first, std::size_t rows, Fits fits);

  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return first_ + bins_.rows(); }
  // What one label pays for: the rows it may look at, once for each step of at most 256 of them.
  std::size_t allowance() const;
  // Whether the ensemble is ready.
  bool work(const KeptRows& kept);
  const Ensemble& ensemble() const { return ensemble_; }
  std::uint64_t looked_at() const { return looked_at_; }  // rows, so far

 private:
  std::size_t step(const KeptRows& kept);
  void start(const KeptRows& kept);
  std::size_t pull();
  void draw(std::size_t begin, std::size_t end);

  std::uint64_t first_;
  Fits fits_;
  std::size_t trees_;  // that there will be
  Bins bins_;
  bool started_ = false;
  std::vector<double> labels_, scores_;
  std::vector<Pull> pulls_;
  std::size_t pulled_ = 0;
  std::vector<std::uint32_t> drawn_, others_;  // rows that the next tree is grown on, and the rest
  Growth growth_;
  bool growing_ = false;
  Ensemble ensemble_;
  std::uint64_t looked_at_ = 0;
};

}  // namespace tarry::trees
