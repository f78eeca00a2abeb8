// The linear function that an oracle minimises, seen by a set only through what it declared that it needs.
#pragma once

#include <span>

#include "tarry/linalg/extreme.h"
#include "tarry/linalg/matrices/singular_pair.h"

namespace tarry {

// It belongs to the caller of the oracle, and is good for that call: sets keep nothing of it. Spans and blocks that it
// shows are its own, and change with the track that it is.
class Direction {
 public:
  virtual ~Direction() = default;
  virtual Extreme extreme() const;                      // for kMaxAbs and kMin
  virtual std::span<const double> dense() const;        // for kDense
  virtual const Direction& block(std::size_t k) const;  // for kBlocks
  // For kTopPair, and exactly wherever there is a dense form.
  virtual TopPair top_pair(Index rows, Index cols, double allowed_short) const;
  // How far ⟨c, v⟩ may be from least, for each unit of the set's diameter.
  virtual double slack() const { return 0; }
};

}  // namespace tarry
