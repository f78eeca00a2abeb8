// What a small game shows at its worst prefix: regret beside what was promised.
#pragma once

#include "tarry/lab/verify/climb_game.h"

namespace tarry::lab {

struct Finding {
  double ratio = -1;  // regret over bound, not below −½: to climb by
  double regret = 0;  // its lower end, less what rounding may have added: a violation is true
  double bound = 0;
  Round rounds = 0;  // the prefix; 0: nothing was promised at any

  bool promised() const { return rounds > 0; }
  bool violates() const { return ratio > 1; }
};

// Regret over bound; a bound of 0 is kept by no regret at all.
double climbing_ratio(double regret, double bound);

// Regret beside Model::certificate at every prefix. The certificate takes it that gradients which have not come are no
// larger than those that have: at each prefix the others are taken shorter (which changes no decision up to there), or,
// where a loss does not allow that, the prefix is passed over. Games that the model refuses show nothing.
Finding judge_certificate(const Arena& arena, const SmallGame& game);

// What a hedge is made of: the bases as models by themselves. Within a product only one block may be the hedge.
struct HedgeInside {
  std::function<std::vector<Model>()> bases;
  Index begin = 0, end = 0;  // its coordinates
};

// The hedge's regret to each of its bases beside Theorem 12, at every prefix. A base learns in the hedge what it would
// learn alone from the same events, so that bases are played alone. Within a block the loss must be of the error alone:
// the other blocks' predictions then only shift the label.
Finding judge_hedge(const Arena& arena, const HedgeInside& hedge, const SmallGame& game);

}  // namespace tarry::lab
