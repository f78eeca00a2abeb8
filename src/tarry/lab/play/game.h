// One simulated game: a model against a stream and a model of delays. It only feeds events into the model's own fold;
// this is the one place where simulated time passes.
#pragma once

#include <functional>

#include "tarry/lab/delays/delays.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/model/model.h"

namespace tarry::lab {

// What one round was, seen by the simulation, which knows every answer at once.
struct RoundPlayed {
  Round round = 0;
  double prediction = 0;
  double label = 0;
  double loss = 0;
  bool judged = true;  // false: nobody ever knew the label, and the round has no loss
};

struct Played {
  double loss = 0;       // Σ f_t(x_t)
  Vec slope_sum;         // of a raw stream: Σ b_t, and …
  double curvature = 0;  // … Σ of the curvatures: all of the summed loss
  double seconds = 0;    // spent in the model, where a clock was given
};

struct GameOptions {
  Round rounds = 0;
  std::function<void(const RoundPlayed& round, const Played& so_far)> after;  // at the end of each round
  std::function<double()> clock;                                              // seconds; the library has none itself
  const std::vector<std::string>* only = nullptr;  // the features that a model of named ones sees; null: all
};

Played play_game(Model& model, const Stream& stream, Delays& delays, const GameOptions& options);

// A stream of losses over the raw decision, for games without a file.
Stream raw_game(RawStream raw, Index dimension);

}  // namespace tarry::lab
