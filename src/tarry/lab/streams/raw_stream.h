// Losses over the raw decision: f_t(x) = ⟨b_t, x⟩ + (curvature/2)‖x‖². Linear when the curvature is 0. What the
// adversary plays, b_t, is a pure function of the round, or looks at the decision.
#pragma once

#include <functional>
#include <span>

#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"

namespace tarry::lab {

struct RawStream {
  // Writes b_t; x is the decision of round t, which only adaptive adversaries read.
  std::function<void(Round t, std::span<const double> x, std::span<double> b)> slope;
  double curvature = 0;
};

// b_t = G · direction, always.
RawStream constant_stream(Vec direction, double bound);
// b_t = ±G · direction, a new sign for each block of rounds (instance 3 of docs/theory.md).
RawStream sign_block_stream(Vec direction, double bound, Round block, std::uint64_t seed);
// b_t = ±G · direction, the sign changing every half period (instance 2).
RawStream square_wave_stream(Vec direction, double bound, Round half_period);
// b_t = G · ((1 − lean) · a random unit vector + lean · a fixed one).
RawStream random_stream(Index dimension, double bound, std::uint64_t seed, double lean = 0.3);
// b_t = G · (a unit vector that turns slowly).
RawStream drifting_stream(Index dimension, double bound, Round period, std::uint64_t seed);
// b_t = G · x/‖x‖: whatever is played turns out to be wrong.
RawStream adaptive_stream(double bound);
// f_t(x) = (β/2)‖x − c_t‖² up to a constant, c_t random of norm at most `reach`.
RawStream quadratic_stream(Index dimension, double beta, double reach, std::uint64_t seed);
// f_t(x) = (curvature/2)‖x‖² + ⟨b_t, x⟩, each entry of b_t uniform between low and high.
RawStream box_quadratic_stream(double curvature, double low, double high, std::uint64_t seed);

}  // namespace tarry::lab
