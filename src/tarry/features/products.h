// The products of a row's features, two by two, squares included: what features say together. They are in slots after
// the features' own, (i, j) with i ≤ j at n + i·m + j for the first m of n features, so that none share one. They are
// remade from the features of a round whenever it is played or learnt: a round that waits keeps none of them.
#pragma once

#include "tarry/features/row.h"

namespace tarry {

class Products {
 public:
  static constexpr std::size_t kMostFeatures = 64;  // of a row; one with more has no products
  static constexpr Index kMost = Index{1} << 16;    // features that are multiplied

  // Of the first `of` of `features`.
  Products(Index features, Index of) : features_(features), of_(of) {}

  Index of() const { return of_; }
  // How many slots a row needs in all.
  Index width() const { return features_ + of_ * of_; }
  // The row and its products, kept in `wide`: as it is, where it has too many features or none are multiplied. A `wide`
  // that has them already, as after the play of the round that is learnt now, is left alone.
  Covector widen(const Covector& row, Row& wide) const;

 private:
  Index slot(Index i, Index j) const { return features_ + i * of_ + j; }

  Index features_, of_;
};

}  // namespace tarry
