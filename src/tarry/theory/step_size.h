// Step sizes that the theorems ask for. Symbols as in the paper: D the set's diameter, G the gradients' bound, T the
// horizon, d̄ the mean delay.
#pragma once

namespace tarry::theory {

// Algorithm 1, any set (Theorem 1): η = D / (G T^{3/4}).
double ofw_eta_general(double diameter, double gradient_bound, double horizon);

// Algorithm 1 with k gradients a step; for k > 1 not in the paper: η = D / (G k^{1/4} T^{3/4}).
double ofw_eta_batched(double diameter, double gradient_bound, double horizon, double batch);

// Algorithm 1 on a strongly convex set (Theorem 2): η = D / (2 G T^{2/3}).
double ofw_eta_strongly_convex_set(double diameter, double gradient_bound, double horizon);

// Algorithm 1, delay-aware; not in the paper: η = min(D / (G T^{3/4}), D / (G √(d̄ T))).
double ofw_eta_delay_aware(double diameter, double gradient_bound, double horizon, double mean_delay);

// Algorithm 1, unknown horizon; not in the paper: η = D / (G √Bud) while the epoch's budget is Bud.
double ofw_eta_epoch(double diameter, double gradient_bound, double budget);

// Algorithm 3: the block B = T^{1/3}, to the nearest whole number, at least 1, and the perturbation δ for a block.
double ospf_block(double horizon);
double ospf_delta_paper(double gradient_bound, double dimension, double horizon, double block);    // 2 / (G √(n T B))
double ospf_delta_retuned(double gradient_bound, double dimension, double horizon, double block);  // not in the paper
// Blocks of one, for linear losses; not in the paper. 1 / (G √(c_n (2d̄ − 1) T)), or with the rounds so far
// 1 / (2 G √(c_n Q)), Q = Σ (o_t + ½).
double ospf_delta_linear(double gradient_bound, double dimension, double horizon, double mean_delay);
double ospf_delta_anytime(double gradient_bound, double dimension, double weighted_outstanding);

// Delayed OGD: η = D / (G √(T + 2 Σ min(d_t − 1, T − t))), the sum being (d̄ − 1) T.
double ogd_eta(double diameter, double gradient_bound, double horizon, double mean_delay);

}  // namespace tarry::theory
