// Two models' losses on the same rounds: how much more the second one loses, with an interval that holds at every time
// at once (docs/theory.md, 17).
//
// Losses may be of any size, and a mean of such has no interval. What the interval is about is the difference clipped
// to a range ±R, which is part of the result: the mean, over the pairs counted, of what the clipped difference was
// expected to be, given all earlier rounds with their labels and that this round's label came in time. The terms are
// (d + R)/2R and 1 − that for a clipped difference d, each with α/2. R should be known beforehand: one that is found in
// the first pairs, which do not count then, may be too small for what is rare.
#pragma once

#include <cstdint>
#include <optional>

#include "tarry/base/bytes.h"
#include "tarry/evaluation/lower_sequence.h"

namespace tarry::evaluation {

class PairedLosses {
 public:
  static constexpr double kAlpha = 0.05;
  static constexpr std::uint64_t kForRange = 100;  // pairs that only say how large losses are, where that is not known
  static constexpr double kRange = 8;              // R, in mean losses of these (of the worse of both)

  static constexpr double kLargestLoss = 1e100;  // what is larger, or no number, counts as this

  explicit PairedLosses(double range = 0) : range_(range) {}  // 0: not known

  // In an order that none of these losses has had a say in.
  void add(double first, double second);

  std::uint64_t pairs() const { return pairs_; }  // counted
  struct Figures {
    std::uint64_t pairs = 0, clipped = 0;
    double first = 0, second = 0;  // mean losses
    double range = 0;              // R
    double difference = 0;         // the mean of second − first, clipped
    double low = 0, high = 0;      // 95 %
  };
  std::optional<Figures> figures(double alpha = kAlpha) const;  // nothing: no pair has been counted

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // throws Error{kCorrupt}

 private:
  std::uint64_t seen_ = 0, pairs_ = 0, clipped_ = 0;
  double first_ = 0, second_ = 0;                             // sums; before there is a range, of the pairs that fix it
  double range_;                                              // 0: not fixed yet
  double difference_ = 0;                                     // the sum
  LowerSequence low_{Effort::kQuick}, high_{Effort::kQuick};  // of (d + R) / 2R and of (R − d) / 2R
};

}  // namespace tarry::evaluation
