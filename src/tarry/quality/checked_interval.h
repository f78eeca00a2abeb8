// How wide an interval must be so that it holds as often as it says: its width follows how often earlier ones failed
// (quantile tracking: Angelopoulos, Candès and Tibshirani 2023). With steps of η and errors of at most b deviations,
// the share that failed among n intervals differs from what was allowed by at most (b + η)/(η n), whatever came.
#pragma once

namespace tarry::quality {

class CheckedInterval {
 public:
  static constexpr double kAllowed = 0.05;

  double deviations() const { return deviations_; }
  // An estimate was off by so many of its standard deviations.
  void check(double off) {
    ++checked_;
    const bool failed = off > deviations_;
    failed_ += failed;
    deviations_ += kStep * ((failed ? 1 : 0) - kAllowed);
  }
  double checked() const { return checked_; }
  double failed() const { return failed_; }

  template <class F>
  void fields(F& f) {
    f(deviations_, checked_, failed_);
  }

 private:
  static constexpr double kStep = 1;

  double deviations_ = 3.5;
  double checked_ = 0, failed_ = 0;
};

}  // namespace tarry::quality
