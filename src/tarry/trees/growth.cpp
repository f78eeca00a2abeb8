#include "tarry/trees/growth.h"

#include <algorithm>
#include <utility>

namespace tarry::trees {
namespace {

constexpr std::size_t kRowsCounted = 256;  // in one step
constexpr double kShrink = 0.3;            // λ
constexpr double kFewestRows = 10;         // of a leaf
constexpr std::size_t kFewestToCut = 20;   // so that both parts may have enough
constexpr double kLeastCurvature = 1e-3;
constexpr double kLeastGain = 1e-9;

// Two numbers in one register: both are divided at once.
typedef double Two __attribute__((vector_size(2 * sizeof(double))));

double score_of(const Pull& sum) { return sum.slope * sum.slope / (sum.curvature + kShrink); }

}  // namespace

void Growth::begin(const std::vector<std::uint32_t>& rows) {
  for (Leaf& leaf : leaves_) spare_.push_back(std::move(leaf.histogram));
  leaves_.clear();
  cuts_.clear();
  order_.assign(rows.begin(), rows.end());
  leaves_.push_back({.begin = 0, .end = order_.size()});
  counting_ = Counting{0, 0, std::nullopt, false};
}

std::size_t Growth::work(const Bins& bins, const std::vector<Pull>& pulls) {
  if (counting_) return count(bins, pulls);
  return leaves_.size() < kMostLeaves ? split(bins) : 0;
}

std::size_t Growth::count(const Bins& bins, const std::vector<Pull>& pulls) {
  Leaf& leaf = leaves_[counting_->leaf];
  const std::size_t begin = leaf.begin + counting_->done, end = std::min(leaf.end, begin + kRowsCounted);
  if (counting_->done == 0 && !counting_->last) clear_histogram(bins, leaf);
  Pull sum = leaf.sum;
  for (std::size_t i = begin; i < end; ++i) {
    sum.slope += pulls[order_[i]].slope;
    sum.curvature += pulls[order_[i]].curvature;
  }
  leaf.sum = sum;
  Pull* const histogram = leaf.histogram.data();
  for (std::size_t i = begin; i < end && !counting_->last; ++i) {
    const Pull pull = pulls[order_[i]];
    const auto add = [&](std::uint16_t entry) {
      histogram[entry].slope += pull.slope;
      histogram[entry].curvature += pull.curvature;
    };
    const auto entries = bins.filled(order_[i]);
    for (std::size_t k = 0; k < entries.size(); k += Bins::kTogether)
      for (std::size_t j = 0; j < Bins::kTogether; ++j) add(entries[k + j]);
  }
  counting_->done += end - begin;
  if (end == leaf.end) finish_counting(bins);
  return std::max<std::size_t>(1, end - begin);
}

void Growth::clear_histogram(const Bins& bins, Leaf& leaf) {
  if (leaf.histogram.empty() && !spare_.empty()) {
    leaf.histogram = std::move(spare_.back());
    spare_.pop_back();
  }
  leaf.histogram.assign(bins.all() + Bins::kTogether, {});
}

void Growth::finish_counting(const Bins& bins) {
  Leaf& leaf = leaves_[counting_->leaf];
  Leaf* const other = counting_->sibling ? &leaves_[*counting_->sibling] : nullptr;
  if (other != nullptr) {
    other->sum.slope -= leaf.sum.slope;
    other->sum.curvature -= leaf.sum.curvature;
  }
  if (!counting_->last) {
    fill_zeros(bins, leaf);
    leaf.best = best_split(bins, leaf);
    for (std::size_t i = 0; other != nullptr && i < leaf.histogram.size(); ++i) {
      other->histogram[i].slope -= leaf.histogram[i].slope;
      other->histogram[i].curvature -= leaf.histogram[i].curvature;
    }
    if (other != nullptr) other->best = best_split(bins, *other);
  }
  counting_.reset();
}

// Rows were not counted where they are 0, which most of them are in most columns of words: that is what is left.
void Growth::fill_zeros(const Bins& bins, Leaf& leaf) {
  for (std::size_t c = 0; c < bins.columns(); ++c) {
    Pull rest = leaf.sum;
    for (std::size_t b = bins.offset(c); b < bins.offset(c + 1); ++b) {
      rest.slope -= leaf.histogram[b].slope;
      rest.curvature -= leaf.histogram[b].curvature;
    }
    leaf.histogram[bins.offset(c) + bins.zero(c)] = rest;
  }
}

// The number of rows in a part of a leaf is estimated from its curvature, as in LightGBM.
Growth::Split Growth::best_split(const Bins& bins, const Leaf& leaf) const {
  Split best;
  if (leaf.rows() < kFewestToCut || !(leaf.sum.curvature > 0)) return best;
  const double whole = score_of(leaf.sum), rows_of = static_cast<double>(leaf.rows()) / leaf.sum.curvature;
  const Two sum = {leaf.sum.slope, leaf.sum.curvature};
  best.gain = kLeastGain;
  bool found = false;
  for (std::size_t c = 0; c < bins.columns(); ++c) {
    const Pull* const bin = leaf.histogram.data() + bins.offset(c);
    Two low = {};
    for (std::size_t b = 0, end = bins.cuts(c); b < end; ++b) {
      low += Two{bin[b].slope, bin[b].curvature};
      if (low[1] < kLeastCurvature || low[1] * rows_of < kFewestRows) continue;
      const Two high = sum - low;
      if (high[1] < kLeastCurvature || high[1] * rows_of < kFewestRows) break;
      const Two slopes = {low[0], high[0]}, scores = slopes * slopes / (Two{low[1], high[1]} + kShrink);
      const double gain = scores[0] + scores[1] - whole;
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
  const std::size_t rows = low.rows(), kept = part(order_, low.begin, low.end, bins.column(best.column), best.bin);
  const auto branch = static_cast<std::int32_t>(cuts_.size());
  if (low.branch >= 0) {
    Cut& above = cuts_[static_cast<std::size_t>(low.branch)];
    (low.high ? above.high : above.low) = branch;
  }
  const auto fresh = leaves_.size();
  cuts_.push_back(
      {at, best.column, best.bin, -1 - static_cast<std::int32_t>(at), -1 - static_cast<std::int32_t>(fresh)});
  Leaf high{.begin = kept, .end = low.end, .branch = branch, .high = true};
  low.end = kept;
  low.branch = branch;
  low.high = false;
  low.best = {};
  leaves_.push_back(std::move(high));
  const std::size_t moved = leaves_.back().rows(), smaller = moved < rows - moved ? fresh : at,
                    larger = smaller == at ? fresh : at;
  if (larger == fresh) {
    std::swap(leaves_[at].histogram, leaves_[fresh].histogram);
    std::swap(leaves_[at].sum, leaves_[fresh].sum);
  }
  leaves_[smaller].sum = {};
  const bool last = leaves_.size() == kMostLeaves || leaves_[larger].rows() < kFewestToCut;
  counting_ = Counting{smaller, 0, larger, last};
  return rows / 4 + 1;
}

// Rows from `begin` to `end` go to the one side or the other, each side in the order it had; where the other begins.
// Both are written and one counts: which one is hard to foresee.
std::size_t Growth::part(std::vector<std::uint32_t>& rows, std::size_t begin, std::size_t end,
                         const std::uint8_t* column, std::size_t bin) {
  if (high_.size() < end - begin) high_.resize(end - begin);
  std::uint32_t* const low = rows.data();
  std::uint32_t* const high = high_.data();
  std::size_t kept = begin, moved = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t row = low[i];
    const std::size_t goes_on = column[row] > bin ? 1 : 0;
    low[kept] = row;
    high[moved] = row;
    kept += 1 - goes_on;
    moved += goes_on;
  }
  std::copy_n(high, moved, low + kept);
  return kept;
}

Tree Growth::finish(const Bins& bins, double rate, std::vector<std::uint32_t>& others, std::vector<double>& scores) {
  Tree tree;
  for (const Cut& cut : cuts_)
    tree.branches.push_back({static_cast<std::uint32_t>(cut.column), bins.cut(cut.column, cut.bin), cut.low, cut.high});
  for (const Leaf& leaf : leaves_) {
    const double value = -rate * leaf.sum.slope / (leaf.sum.curvature + kShrink);
    tree.leaves.push_back(value);
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) scores[order_[i]] += value;
  }
  score_others(bins, tree, others, scores);
  return tree;
}

// They are parted as the tree's own rows were.
void Growth::score_others(const Bins& bins, const Tree& tree, std::vector<std::uint32_t>& others,
                          std::vector<double>& scores) {
  std::vector<std::size_t> begin = {0}, end = {others.size()};
  for (const Cut& cut : cuts_) {
    const std::size_t high = part(others, begin[cut.leaf], end[cut.leaf], bins.column(cut.column), cut.bin);
    begin.push_back(high);
    end.push_back(end[cut.leaf]);
    end[cut.leaf] = high;
  }
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf)
    for (std::size_t i = begin[leaf]; i < end[leaf]; ++i) scores[others[i]] += tree.leaves[leaf];
}

}  // namespace tarry::trees
