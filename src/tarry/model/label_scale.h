// The mean and the deviation of the labels received so far: predictions of a loss that looks at the error alone are
// made in these units, so that the size and the offset of labels do not matter. A label far beyond all that came before
// counts as less, so that an absurd one spoils neither.
#pragma once

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/ledger/context.h"

namespace tarry {

class LabelScale {
 public:
  // The label as it is learnt: no farther from the mean than five deviations, or twice as far as any before it.
  double taken(double label) const {
    if (count_ < kSettled || squares_ == 0) return label;
    const double off = label - mean_, limit = std::max(kFar * std::sqrt(squares_ / count_), 2 * farthest_);
    return std::fabs(off) <= limit ? label : mean_ + std::copysign(limit, off);
  }
  void add(double label) {  // Welford's recurrence
    count_ += 1;
    const double off = label - mean_;
    if (count_ > 1) farthest_ = std::max(farthest_, std::fabs(off));
    mean_ += off / count_;
    squares_ += off * (label - mean_);
  }
  // As if `after` had been added in the place of `before`.
  void replace(double before, double after) {
    if (count_ < 1) return;
    const double old_mean = mean_, by = after - before;
    farthest_ = std::max(farthest_, std::fabs(after - mean_));
    mean_ += by / count_;
    squares_ = std::max(0.0, squares_ + by * ((after - mean_) + (before - old_mean)));
  }
  void save(ByteWriter& out) const {
    for (double x : {count_, mean_, squares_, farthest_}) out.f64(x);
  }
  void load(ByteReader& in) {
    count_ = in.size();
    mean_ = in.finite();
    squares_ = in.size();
    farthest_ = in.size();
    if (count_ != std::floor(count_) || (count_ == 0 && (mean_ != 0 || squares_ != 0 || farthest_ != 0)))
      throw Error(Code::kCorrupt, "snapshot: the scale of the labels is impossible");
  }
  // The farthest that a label was from those before it: at most the range of labels, and mostly more than half of it.
  double range() const { return farthest_ > 0 ? farthest_ : 1; }
  Link link() const { return {mean_, squares_ > 0 ? std::sqrt(squares_ / count_) : 1}; }

 private:
  static constexpr double kSettled = 20, kFar = 5;
  double count_ = 0, mean_ = 0, squares_ = 0;
  double farthest_ = 0;  // that a label was from the mean of those before it
};

}  // namespace tarry
