// The weights of a hedge, learnt from delayed losses without a step size: DORM+ (Flaspohler et al. 2021), and the
// right side of Theorem 12 (docs/theory.md), added up as feedback comes.
#pragma once

#include <span>

#include "tarry/base/bytes.h"
#include "tarry/linalg/covector.h"

namespace tarry {

class Dorm {
 public:
  explicit Dorm(std::size_t bases);

  const Vec& weigh();  // of the next play
  const Vec& weights() const { return weights_; }
  // What the bases and the mean of them lost in a round that was played when spread() was `spread_at_play`.
  void learn(std::span<const double> base_losses, double own_loss, double spread_at_play);

  double spread() const { return spread_; }
  // What own losses exceed those of any base by, at most, over the rounds learnt from.
  double bound() const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  void count(std::span<const double> base_losses, double spread_at_play);

  double power_;  // q − 1
  Vec lead_;      // Q: how much each base would have saved, never below 0
  Vec weights_;
  double spread_ = 0;   // Σ s_k, s_k the largest less the least of a round's losses
  double largest_ = 0;  // s_k
  double squares_ = 0;  // Σ (s_k² + 2 s_k Σ_{j∈B_k} s_j), in units of largest_²: no square under- or overflows
  double rounding_ = 0;
};

}  // namespace tarry
