// Features brought to a common size as they come, so that one rule of steps suits all of them.
//
// A feature that is non-zero in more than half of the rows so far is centred and divided by its standard deviation, its
// zeros included; a rarer one, an indicator or a hashed word, is only divided by the root mean square of its non-zero
// values, which keeps rows sparse. What was frequent once stays so down to two fifths of the rows, so that a feature
// near the half does not change its form with every row. One that has not varied yet says nothing and counts as 0,
// unless it is 1, an intercept. A row is prepared with what was seen up to itself, and keeps its form for the label
// (docs/theory.md says what is guaranteed).
#pragma once

#include <cstdint>
#include <vector>

#include "tarry/geometry/shape.h"
#include "tarry/linalg/covector.h"

namespace tarry {

class Standardiser {
 public:
  explicit Standardiser(Index dimension) : seen_(full_size(dimension)) {}

  // Counts the row, then gives it prepared: indices ascending.
  void prepare(const Covector& row, std::vector<Index>& indices, Vec& values);

 private:
  // Half a cache line: rows of many rare features are spent on fetching these.
  struct Seen {
    std::uint64_t count : 63 = 0;    // of rows where it was not 0
    std::uint64_t frequent : 1 = 0;  // whether it is in frequent_
    double first = 0;                // its first value: sums are taken from there, so that an offset costs no digits
    double sum = 0;                  // Σ (value − first) over those rows
    double squares = 0;              // Σ (value − first)²
  };
  Seen& at(Index i) { return seen_[static_cast<std::size_t>(i)]; }
  void count(const Covector& row);
  double standardised(const Seen& x, double value) const;
  static double scaled(const Seen& x, double value);

  double rows_ = 0;
  std::vector<Seen> seen_;
  std::vector<Index> frequent_;  // ascending: non-zero in half of the rows once, and in two fifths since
};

}  // namespace tarry
