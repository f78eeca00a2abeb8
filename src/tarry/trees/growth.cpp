#include "tarry/trees/growth.h"

#include <algorithm>
#include <utility>

namespace tarry::trees {
namespace {

constexpr std::size_t kRowsCounted = 256;  // in one step
constexpr double kShrink = 0.3;            // λ
constexpr double kFewestRows = 10;         // of a leaf
constexpr double kLeastCurvature = 1e-3;
constexpr double kLeastGain = 1e-9;

double score_of(const Pull& sum) { return sum.slope * sum.slope / (sum.curvature + kShrink); }

}  // namespace

Growth::Growth(std::vector<std::uint32_t> rows) : order_(std::move(rows)), high_(order_.size()) {
  leaves_.push_back({.begin = 0, .end = order_.size()});
  counting_ = Counting{0, 0, std::nullopt};
}

std::size_t Growth::work(const Bins& bins, const std::vector<Pull>& pulls) {
  if (counting_) return count(bins, pulls);
  return leaves_.size() < kMostLeaves ? split(bins) : 0;
}

std::size_t Growth::count(const Bins& bins, const std::vector<Pull>& pulls) {
  Leaf& leaf = leaves_[counting_->leaf];
  leaf.histogram.resize(bins.all());
  const std::size_t begin = leaf.begin + counting_->done, end = std::min(leaf.end, begin + kRowsCounted);
  Pull* const histogram = leaf.histogram.data();
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t row = order_[i];
    const Pull pull = pulls[row];
    leaf.sum.slope += pull.slope;
    leaf.sum.curvature += pull.curvature;
    for (std::uint16_t entry : bins.filled(row)) {
      histogram[entry].slope += pull.slope;
      histogram[entry].curvature += pull.curvature;
    }
  }
  counting_->done += end - begin;
  if (end == leaf.end) finish_counting(bins);
  return std::max<std::size_t>(1, end - begin);
}

// Rows were not counted where they are 0, which most of them are in most columns of words: that is what is left.
void Growth::finish_counting(const Bins& bins) {
  Leaf& leaf = leaves_[counting_->leaf];
  for (std::size_t c = 0; c < bins.columns(); ++c) {
    Pull rest = leaf.sum;
    for (std::size_t b = bins.offset(c); b < bins.offset(c + 1); ++b) {
      rest.slope -= leaf.histogram[b].slope;
      rest.curvature -= leaf.histogram[b].curvature;
    }
    leaf.histogram[bins.offset(c) + bins.zero(c)] = rest;
  }
  leaf.best = best_split(bins, leaf);
  if (counting_->sibling) {
    Leaf& other = leaves_[*counting_->sibling];
    for (std::size_t i = 0; i < leaf.histogram.size(); ++i) {
      other.histogram[i].slope -= leaf.histogram[i].slope;
      other.histogram[i].curvature -= leaf.histogram[i].curvature;
    }
    other.sum.slope -= leaf.sum.slope;
    other.sum.curvature -= leaf.sum.curvature;
    other.best = best_split(bins, other);
  }
  counting_.reset();
}

// The number of rows in a part of a leaf is estimated from its curvature, as in LightGBM.
Growth::Split Growth::best_split(const Bins& bins, const Leaf& leaf) const {
  Split best;
  if (static_cast<double>(leaf.rows()) < 2 * kFewestRows || !(leaf.sum.curvature > 0)) return best;
  const double whole = score_of(leaf.sum), rows_of = static_cast<double>(leaf.rows()) / leaf.sum.curvature;
  best.gain = kLeastGain;
  bool found = false;
  for (std::size_t c = 0; c < bins.columns(); ++c) {
    Pull low;
    for (std::size_t b = 0; b < bins.cuts(c); ++b) {
      const Pull& bin = leaf.histogram[bins.offset(c) + b];
      low.slope += bin.slope;
      low.curvature += bin.curvature;
      if (low.curvature < kLeastCurvature || low.curvature * rows_of < kFewestRows) continue;
      const Pull high{leaf.sum.slope - low.slope, leaf.sum.curvature - low.curvature};
      if (high.curvature < kLeastCurvature || high.curvature * rows_of < kFewestRows) break;
      const double gain = score_of(low) + score_of(high) - whole;
      if (gain <= best.gain) continue;
      best = {gain, c, b};
      found = true;
    }
  }
  return found ? best : Split{};
}

// The leaf whose split gains most, the first of equals.
std::size_t Growth::split(const Bins& bins) {
  std::size_t at = 0;
  for (std::size_t i = 1; i < leaves_.size(); ++i)
    if (leaves_[i].best.gain > leaves_[at].best.gain) at = i;
  const Split best = leaves_[at].best;
  if (!best.any()) return 0;
  Leaf& low = leaves_[at];
  const std::size_t rows = low.rows();
  std::size_t kept = low.begin, moved = 0;
  for (std::size_t i = low.begin; i < low.end; ++i) {  // each side in the order it had
    const std::uint32_t row = order_[i];
    if (bins.row(row)[best.column] <= best.bin)
      order_[kept++] = row;
    else
      high_[moved++] = row;
  }
  std::copy_n(high_.begin(), moved, order_.begin() + static_cast<std::ptrdiff_t>(kept));
  const auto branch = static_cast<std::int32_t>(cuts_.size());
  if (low.branch >= 0) {
    Cut& above = cuts_[static_cast<std::size_t>(low.branch)];
    (low.high ? above.high : above.low) = branch;
  }
  const auto fresh = leaves_.size();
  cuts_.push_back({best.column, best.bin, -1 - static_cast<std::int32_t>(at), -1 - static_cast<std::int32_t>(fresh)});
  Leaf high{.begin = kept, .end = low.end, .branch = branch, .high = true};
  low.end = kept;
  low.branch = branch;
  low.high = false;
  low.best = {};
  leaves_.push_back(std::move(high));
  const std::size_t smaller = moved < rows - moved ? fresh : at, larger = smaller == at ? fresh : at;
  if (larger == fresh) {
    std::swap(leaves_[at].histogram, leaves_[fresh].histogram);
    std::swap(leaves_[at].sum, leaves_[fresh].sum);
  }
  leaves_[smaller].histogram.clear();
  leaves_[smaller].sum = {};
  counting_ = Counting{smaller, 0, larger};
  return rows / 4 + 1;
}

std::size_t Growth::leaf_of(const std::uint8_t* row) const {
  std::int32_t at = cuts_.empty() ? -1 : 0;
  while (at >= 0) {
    const Cut& cut = cuts_[static_cast<std::size_t>(at)];
    at = row[cut.column] <= cut.bin ? cut.low : cut.high;
  }
  return static_cast<std::size_t>(-1 - at);
}

Tree Growth::finish(const Bins& bins, double rate, const std::vector<std::uint32_t>& others,
                    std::vector<double>& scores) const {
  Tree tree;
  for (const Cut& cut : cuts_)
    tree.branches.push_back({static_cast<std::uint32_t>(cut.column), bins.cut(cut.column, cut.bin), cut.low, cut.high});
  for (const Leaf& leaf : leaves_) {
    const double value = -rate * leaf.sum.slope / (leaf.sum.curvature + kShrink);
    tree.leaves.push_back(value);
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) scores[order_[i]] += value;
  }
  for (std::uint32_t row : others) scores[row] += tree.leaves[leaf_of(bins.row(row))];
  return tree;
}

}  // namespace tarry::trees
