// The mean and the deviation of the labels received so far: predictions of a loss that looks at the error alone are
// made in these units, so that the size and the offset of labels do not matter.
#pragma once

#include <cmath>

#include "tarry/base/error.h"
#include "tarry/ledger/context.h"

namespace tarry {

class LabelScale {
 public:
  void add(double label) {  // Welford's recurrence
    count_ += 1;
    const double off = label - mean_;
    mean_ += off / count_;
    squares_ += off * (label - mean_);
  }
  void save(ByteWriter& out) const {
    for (double x : {count_, mean_, squares_}) out.f64(x);
  }
  void load(ByteReader& in) {
    count_ = in.size();
    mean_ = in.finite();
    squares_ = in.size();
    if (count_ != std::floor(count_) || (count_ == 0 && (mean_ != 0 || squares_ != 0)))
      throw Error(Code::kCorrupt, "snapshot: the scale of the labels is impossible");
  }
  Link link() const { return {mean_, squares_ > 0 ? std::sqrt(squares_ / count_) : 1}; }

 private:
  double count_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace tarry
