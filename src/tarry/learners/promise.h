// What a learner's theorem asks of the game, told by its specification before the learner is made: what `tarry explain`
// says and `tarry verify` must know to play a fair game.
#pragma once

#include <string>

namespace tarry {

struct Promise {
  bool made = true;  // false: no bound is ever evaluated
  // Where the horizon and the gradients' size alone give the bound, the losses it is for: "convex losses". Empty: it
  // depends on what has come, and nothing can be said before.
  std::string losses = {};
  bool strongly_convex = false;  // for strongly convex losses alone
  bool linear = false;           // counts linear losses: nothing is said of losses of a prediction
  bool oblivious = false;        // losses must not depend on its random numbers
  bool in_the_mean = false;  // over its draws: it plays one drawn vertex a round, and one run may be above the bound
  double curvature = 0;      // of the losses in small games, where it knows the curvature; 0: any losses will do
};

}  // namespace tarry
