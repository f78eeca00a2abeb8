// Step sizes that the theorems ask for. Symbols as in the paper: D the set's diameter, G the gradients' bound, T the
// horizon, d̄ the mean delay.
#pragma once

namespace tarry::theory {

// Algorithm 1, any set (Theorem 1): η = D / (G T^{3/4}).
double ofw_eta_general(double diameter, double gradient_bound, double horizon);

// Algorithm 1 on a strongly convex set (Theorem 2): η = D / (2 G T^{2/3}).
double ofw_eta_strongly_convex_set(double diameter, double gradient_bound, double horizon);

// Algorithm 1, delay-aware; not in the paper: η = min(D / (G T^{3/4}), D / (G √(d̄ T))).
double ofw_eta_delay_aware(double diameter, double gradient_bound, double horizon, double mean_delay);

}  // namespace tarry::theory
