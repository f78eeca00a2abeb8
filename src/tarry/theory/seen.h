// What a run has seen so far: all that a certificate needs to know of it.
#pragma once

namespace tarry::theory {

struct Seen {
  double rounds = 0;           // T: rounds played
  double sum_outstanding = 0;  // Σ o_t = Σ min(d_t − 1, T − t)
  double largest_delay = 1;    // d, rounds still outstanding counted as if answered now
  double gradient_bound = 0;   // G: the largest 2-norm received
  // What is known of the losses themselves:
  bool curved = false;  // they are not linear: gradients depend on what was played
  bool flat = false;    // they are constant along some directions: not strongly convex
  // Whose game it is, for learners inside others:
  bool hedged = false;  // gradients may be taken at other points than the learner's, and depend on its random draws
  bool linear = false;  // regret is asked for the linear losses ⟨g_k, ·⟩, not for those that they were taken of

  // Whether every gradient kept to the bound G that a step was chosen for.
  bool within(double bound) const { return gradient_bound <= bound * (1 + 1e-9); }
  double mean_delay() const { return rounds > 0 ? 1 + sum_outstanding / rounds : 1; }  // d̄
};

}  // namespace tarry::theory
