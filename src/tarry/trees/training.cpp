#include "tarry/trees/training.h"

#include <algorithm>

#include "tarry/base/elementary.h"

namespace tarry::trees {
namespace {

constexpr double kRate = 0.15;
constexpr std::size_t kFewestTrees = 24, kMostTrees = 96, kRowsATree = 60;
constexpr std::size_t kLooks = 64;        // rows that a label pays for, for each tree
constexpr std::size_t kRowsPulled = 512;  // in one step

}  // namespace

// With few labels many trees would learn them by heart.
Training::Training(std::uint64_t first, std::size_t rows, Fits fits)
    : first_(first), fits_(fits), trees_(std::clamp(rows / kRowsATree, kFewestTrees, kMostTrees)), bins_(first, rows) {}

std::size_t Training::allowance() const { return kLooks * trees_; }

bool Training::work(const KeptRows& kept) {
  for (std::size_t left = allowance(); left > 0;) {
    if (started_ && ensemble_.size() == trees_) return true;
    const std::size_t looked = step(kept);
    looked_at_ += looked;
    left -= std::min(left, looked);
  }
  return started_ && ensemble_.size() == trees_;
}

std::size_t Training::step(const KeptRows& kept) {
  if (!started_) {
    if (const std::size_t looked = bins_.work(kept)) return looked;
    start(kept);
    return bins_.rows() / 16 + 1;
  }
  if (pulled_ < bins_.rows()) return pull();
  if (!growth_) growth_.emplace(bins_.rows());
  if (const std::size_t looked = growth_->work(bins_, pulls_)) return looked;
  ensemble_.add(growth_->finish(bins_, kRate, scores_));
  growth_.reset();
  pulled_ = 0;
  return bins_.rows() / 8 + 1;
}

void Training::start(const KeptRows& kept) {
  double sum = 0;
  for (std::size_t i = 0; i < bins_.rows(); ++i) {
    const double label = kept.row(first_ + i).label;
    labels_.push_back(fits_ == Fits::kNumbers ? label : label > 0 ? 1 : 0);
    sum += labels_.back();
  }
  const auto rows = static_cast<double>(bins_.rows());
  const double mean = fits_ == Fits::kNumbers ? sum / rows : tarry::log((sum + 0.5) / (rows - sum + 0.5));
  scores_.assign(bins_.rows(), mean);
  pulls_.resize(bins_.rows());
  ensemble_ = Ensemble(bins_.slots(), mean);
  started_ = true;
}

std::size_t Training::pull() {
  const std::size_t begin = pulled_, end = std::min(bins_.rows(), begin + kRowsPulled);
  for (; pulled_ < end; ++pulled_) {
    const double score = scores_[pulled_];
    if (fits_ == Fits::kNumbers) {
      pulls_[pulled_] = {score - labels_[pulled_], 1};
      continue;
    }
    const double chance = 1 / (1 + tarry::exp(-score));
    pulls_[pulled_] = {chance - labels_[pulled_], chance * (1 - chance)};
  }
  return (end - begin) / 2 + 1;
}

}  // namespace tarry::trees
