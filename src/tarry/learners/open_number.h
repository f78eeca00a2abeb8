// What being open says of a round whose label is a number (docs/theory.md, 12.2).
#pragma once

#include <cstddef>
#include <span>

namespace tarry {

// The target of an open round, for a prediction m: m + shift; or, where labels are waits, the mean of a normal
// variable about m that is known to be above a floor, which itself is not sharp.
struct OpenNumber {
  static constexpr std::size_t kSize = 4;
  double shift = 0, floor = 0;
  double spread = 0;  // of the label and of the floor together; 0: there is no floor
  double share = 0;   // of its square that is the label's

  static OpenNumber of(std::span<const double> numbers) { return {numbers[0], numbers[1], numbers[2], numbers[3]}; }
  void write(std::span<double> numbers) const;
  double moves(double prediction) const;  // the target less the prediction
  // What such a prediction loses while the round is open, in squared errors, beside one that predicts `mean`.
  double lost(double prediction, double mean) const;
};

}  // namespace tarry
