#include "tarry/trees/boosted_trees.h"

#include <algorithm>

#include "tarry/base/error.h"

namespace tarry::trees {

void BoostedTrees::learn(std::span<const std::int64_t> slots, std::span<const double> values, double label) {
  kept_.add(slots, values, label);
  if (!training_ && kept_.end() >= next_) {
    const std::uint64_t rows = std::min(kept_.end() - kept_.first(), kMostRows);
    training_.emplace(kept_.end() - rows, static_cast<std::size_t>(rows), fits_);
    worked_ = 0;
  }
  if (!training_) return;
  ++worked_;
  if (training_->work(kept_)) finish();
}

// Rows are dropped only now, so that training can be done again from what is kept.
void BoostedTrees::finish() {
  ensemble_ = training_->ensemble();
  const std::uint64_t rows = training_->end() - training_->first();
  next_ = training_->end() + rows / (rows < kFew ? 8 : 4);
  training_.reset();
  if (kept_.end() > kMostRows) kept_.drop_before(kept_.end() - kMostRows);
}

// What training has come to is not saved: it is done again when the state is loaded, step by step.
void BoostedTrees::save(ByteWriter& out) const {
  kept_.save(out);
  out.u64(next_);
  out.u64(ensemble_ ? 1 : 0);
  if (ensemble_) ensemble_->save(out);
  out.u64(training_ ? 1 : 0);
  if (!training_) return;
  out.u64(training_->first());
  out.u64(training_->end());
  out.u64(worked_);
}

void BoostedTrees::load(ByteReader& in) {
  BoostedTrees fresh(fits_);
  fresh.kept_.load(in);
  fresh.next_ = in.u64();
  if (in.flag()) fresh.ensemble_.emplace().load(in);
  if (in.flag()) {
    const std::uint64_t first = in.u64(), end = in.u64();
    fresh.worked_ = in.u64();
    if (first < fresh.kept_.first() || end > fresh.kept_.end() || first >= end || end - first > kMostRows ||
        fresh.worked_ != fresh.kept_.end() - end + 1)
      throw Error(Code::kCorrupt, "snapshot: trees are grown on rows that are not there");
    fresh.training_.emplace(first, static_cast<std::size_t>(end - first), fits_);
    for (std::uint64_t i = 0; fresh.training_ && i < fresh.worked_; ++i)
      if (fresh.training_->work(fresh.kept_)) fresh.finish();  // an earlier version took longer
  }
  *this = std::move(fresh);
}

}  // namespace tarry::trees
