// Numbers that bend: what a number says beyond a straight line. A standardised number is also given as hats, weights of
// the two nearest knots of a grid, which make any piecewise linear function of it; two features of a row together as
// tiles, the products of their hats, or of a number's hats and a word. They are in slots behind the row's others,
// first the hats, then the tiles of a number and a word, then those of two numbers, and are remade from the features
// of a round whenever it is played or learnt: a round that waits keeps none.
//
// A number bends from the round after it has been seen often enough, with three different values at least: with fewer
// there is nothing to bend. That round is kept, so that a row is the same at its play and at its label.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "tarry/base/bytes.h"
#include "tarry/features/row.h"
#include "tarry/linalg/sparse/paged.h"

namespace tarry {

class Bends {
 public:
  static constexpr Index kMost = 4096;              // features that may bend …
  static constexpr Index kTiled = 64;               // … and the first of them, whose tiles there are
  static constexpr std::size_t kMostFeatures = 64;  // of a row; one with more has no bends …
  static constexpr std::size_t kMostTiled = 24;     // … and one with more than these no tiles

  // Of the first `of` features, in slots from `first` on.
  Bends(Index first, Index of) : first_(first), of_(of) {}

  Index of() const { return of_; }
  static Index width(Index of) {  // how many slots they need
    const Index tiled = std::min(of, kTiled);
    return of * kHats + tiled * of * kSide + tiled * tiled * kSide * kSide;
  }
  Index width() const { return width(of_); }

  void count(const RowView& row, std::uint64_t round);  // the row of the next play
  // A row with its bends, or as it is if it has none; `wide` may hold its products already.
  Covector widen(const Covector& row, const Covector& with_products, std::uint64_t round, Row& wide) const;

  bool bends(Index slot) const { return bends(slot, kLast); }
  // The values of a number that bends, as they came.
  struct Range {
    double least = 0, largest = 0;
    bool whole = false;  // whether each was a whole number
  };
  Range range(Index slot) const;
  // The two features that an entry behind the others is of; one twice, where it is a hat.
  std::pair<Index, Index> features_of(Index entry) const;
  // The row of one number, at so many deviations from its mean, whatever else there may be: to ask for its curve.
  Covector alone(Index slot, double deviations, Row& wide) const;
  // The finest hats of it alone: weights of 0 say that nothing was learnt there.
  Covector finest(Index slot, double deviations, Row& wide) const;
  static constexpr double kFine = 16;  // of these hats' knots in a deviation
  static constexpr double kFar = 6;    // deviations; what is beyond counts as that

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // into one made alike; on error it must not be used further

 private:
  static constexpr Index kHats = 256, kSide = 32;  // room for the hats of a number, and for those of a tile's side
  static constexpr std::uint64_t kLast = ~std::uint64_t{0};

  struct Seen {
    double first = 0, second = 0;  // values
    std::uint64_t count = 0;
    std::uint64_t from = 0;  // the round from which on it bends; 0: not yet
    double least = 0, largest = 0;
    bool whole = false;
  };
  bool bends(Index slot, std::uint64_t round) const {
    const Seen* x = slot < of_ ? seen_.find(slot) : nullptr;
    return x != nullptr && x->from > 0 && x->from <= round;
  }
  class Behind;
  void add_hats(Index slot, double z, Behind& out) const;
  // Of the row's first `known` features.
  void add_tiles(const Covector& row, std::size_t known, const std::array<bool, kMostFeatures>& bent,
                 Behind& out) const;

  Index first_, of_;
  Paged<Seen> seen_;
};

}  // namespace tarry
