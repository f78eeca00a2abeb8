// One tree, grown leaf by leaf: the split that gains most is next (LightGBM's order; Ke et al. 2017). Slopes G and
// curvatures H of the rows of a leaf give its value −G/(H + λ), and a split gains G_l²/(H_l + λ) + G_r²/(H_r + λ) −
// G²/(H + λ). A leaf's rows are counted into a histogram of its columns' bins, part by part; of two leaves that were
// one, the smaller is counted and the other is the difference.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tarry/trees/bins.h"
#include "tarry/trees/ensemble.h"

namespace tarry::trees {

struct Pull {  // of a row, of a bin or of a leaf
  double slope = 0, curvature = 0;
};

class Growth {
 public:
  static constexpr std::size_t kMostLeaves = 31;

  // The next tree, on these rows. Memory of the last one is used again.
  void begin(const std::vector<std::uint32_t>& rows);

  // The next step; returns how many rows it looked at, 0 once the tree is grown.
  std::size_t work(const Bins& bins, const std::vector<Pull>& pulls);

  // The tree, whose leaves count for `rate` of their values; adds them to the scores of its rows and of `others`, which
  // are left in another order.
  Tree finish(const Bins& bins, double rate, std::vector<std::uint32_t>& others, std::vector<double>& scores);

 private:
  struct Split {
    double gain = 0;
    std::size_t column = 0, bin = 0;
    bool any() const { return gain > 0; }
  };
  struct Leaf {
    std::size_t begin = 0, end = 0;  // in order_
    Pull sum = {};
    std::vector<Pull> histogram = {};  // bin by bin
    Split best = {};
    std::int32_t branch = -1;  // that leads here …
    bool high = false;         // … and by which way
    std::size_t rows() const { return end - begin; }
  };
  struct Counting {  // a histogram that is being made
    std::size_t leaf, done;
    std::optional<std::size_t> sibling;  // that still has the histogram of both
    bool last;                           // neither leaf will be cut: their sums are enough
  };
  std::size_t count(const Bins& bins, const std::vector<Pull>& pulls);
  void clear_histogram(const Bins& bins, Leaf& leaf);
  void finish_counting(const Bins& bins);
  static void fill_zeros(const Bins& bins, Leaf& leaf);
  std::size_t split(const Bins& bins);
  Split best_split(const Bins& bins, const Leaf& leaf) const;
  void score_others(const Bins& bins, const Tree& tree, std::vector<std::uint32_t>& others,
                    std::vector<double>& scores);
  std::size_t part(std::vector<std::uint32_t>& rows, std::size_t begin, std::size_t end, const std::uint8_t* column,
                   std::size_t bin);
  bool last() const { return leaves_.size() == kMostLeaves; }

  std::vector<std::uint32_t> order_, high_;  // rows by leaf; room for those that go the other way
  std::vector<Leaf> leaves_;
  struct Cut {
    std::size_t leaf, column, bin;  // the leaf that was cut keeps its lower part; the other one is the next new leaf
    std::int32_t low, high;
  };
  std::vector<Cut> cuts_;
  std::optional<Counting> counting_;
  std::vector<std::vector<Pull>> spare_;  // histograms that no leaf needs any more
};

}  // namespace tarry::trees
