// The best fixed decision in hindsight, with a certificate: an interval that contains the smallest summed loss.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "tarry/lab/interrupted.h"
#include "tarry/lab/interval.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/lab/world/world.h"

namespace tarry::lab {

// A convex function of the decision.
struct Objective {
  // The value, with its gradient written; infinite where the function is not defined, which may be outside of the set.
  std::function<double(std::span<const double> x, std::span<double> gradient)> evaluate;
  double smoothness_guess = 1;  // where the search for a step begins
};

// min of the objective over the set to a gap of relative_gap · max(1, |value|), where it gets there. `x` is where to
// begin (a point of the set) and becomes the point found. The gap is certified by the set's oracle: value − gap ≤ min ≤
// value, as far as the objective has digits. Gives up soon, by Interrupted, once `stop` is set; after `most_steps` it
// gives what it has.
constexpr int kMostSteps = 20000;
Interval minimise(const AnySet& set, const Objective& objective, Vec& x, double relative_gap,
                  const std::atomic<bool>* stop = nullptr, int most_steps = kMostSteps);

// min over the set of ⟨slope, x⟩ + (curvature/2)‖x‖²: exact for linear losses and for sets with a projection.
Interval best_in_hindsight(const AnySet& set, const Vec& slope, double curvature, double relative_gap = 1e-6);

// The regret of a game on a raw stream, as an interval.
Interval regret(const AnySet& set, const Played& played);

// Whether there is one: not over classes, nor on roads, whose world knows its regret itself.
bool has_comparator(const Stream& stream);

// The comparator's summed loss after each of the checkpoints (ascending rounds) of a stream. Squared losses, which lose
// most digits, are certified with their rounding.
std::vector<Interval> best_at_checkpoints(const AnySet& set, const Stream& stream,
                                          const std::vector<Round>& checkpoints, double relative_gap,
                                          const std::atomic<bool>* stop = nullptr);

}  // namespace tarry::lab
