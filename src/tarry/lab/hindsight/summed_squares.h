// Σ (a·x − y)² over the first rows of a table: as a function to minimise, and as an interval that allows for rounding.
//
// In few dimensions its matrix is enough to search with, whatever the number of rows. It is expanded about a centre,
// with the residuals there taken row by row: about 0 the square of a large label would cancel all that is asked for.
// What the search finds is then judged by the rows themselves.
#pragma once

#include "tarry/lab/hindsight/comparator.h"

namespace tarry::lab {

class SummedSquares {
 public:
  explicit SummedSquares(const Table& table);

  void through(std::size_t rows);  // takes in the rows up to here; never fewer than before

  // Expanded about the centre, which may be anywhere: the nearer to the answer, the more digits. By rows in many
  // dimensions. Valid until the next call.
  Objective about(std::span<const double> centre);

  // An interval that holds the minimum over the set, by a point of it: its value from above, its gap or the sum's own
  // curvature from below, and what rounding may have done to them.
  Interval certify(const AnySet& set, std::span<const double> x) const;

 private:
  // Σ r², Σ r a with r = a·x − y, and by how much rounding may have changed them (the second in 2-norm).
  struct At {
    double squares = 0, squares_error = 0;
    Vec cross;
    double cross_error = 0;
  };
  At at(std::span<const double> x) const;
  double curvature() const;

  const Table& table_;
  std::size_t n_;
  std::size_t rows_ = 0;
  Vec gram_;  // Σ a aᵀ; empty in many dimensions
  Vec centre_;
  At there_;
};

}  // namespace tarry::lab
