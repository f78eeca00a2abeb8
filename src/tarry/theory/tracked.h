// What is known where only some of the rounds are tracked: Theorems 21.1 and 21.2 of docs/theory.md, [M].
#pragma once

namespace tarry::theory {

// E[1/W²; kept] = E[1/W] ≤ this for a round of the given delay, where `kept` ≥ max(2, 1 + ln T) rounds stay when some
// must go; infinite where fewer stay.
double tracked_square(double kept, double rounds, double delay);

// What delayed_ogd with step η cannot exceed in expectation, where each gradient is divided by the probability that its
// round was kept: D²/(2η) + (η/2)G²(V + 2Σo), V = Σ_t tracked_square.
double tracked_ogd(double diameter, double eta, double gradient_bound, double square, double sum_outstanding);

}  // namespace tarry::theory
