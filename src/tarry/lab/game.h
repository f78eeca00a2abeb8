// One simulated game: a model against a stream of losses and a model of delays. It only feeds events into the model's
// own fold; this is the one place where simulated time passes.
#pragma once

#include <functional>

#include "tarry/lab/delays.h"
#include "tarry/lab/raw_stream.h"
#include "tarry/model/model.h"

namespace tarry::lab {

struct Game {
  RawStream stream;
  Round rounds = 0;
};

struct Played {
  double loss = 0;       // Σ f_t(x_t)
  Vec slope_sum;         // Σ b_t: with the curvature, all of the summed loss
  double curvature = 0;  // Σ of the curvatures
};

// `after(t, played so far)` is called at the end of each round.
Played play_game(Model& model, const Game& game, Delays& delays,
                 const std::function<void(Round t, const Played& so_far)>& after = {});

// min over the set of ⟨slope, x⟩ + (curvature/2)‖x‖², as an interval that contains it: exact for linear losses and for
// sets with a projection, otherwise by Frank-Wolfe to the relative gap asked for.
struct Interval {
  double low;
  double high;
};
Interval best_in_hindsight(const AnySet& set, const Vec& slope, double curvature, double relative_gap = 1e-6);

// The regret of a game, as an interval.
Interval regret(const AnySet& set, const Played& played);

}  // namespace tarry::lab
