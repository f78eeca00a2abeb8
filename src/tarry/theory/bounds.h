// The right-hand sides of the theorems: the regret that each learner cannot exceed. docs/theory.md states them with
// their sources; those marked [M] are proved there and not in the paper.
//
// Symbols: D diameter, G gradient bound, T rounds, d̄ mean delay, d largest delay, β strong convexity of the losses, β_K
// of the set, α smoothness, μ curvature of half the squared gauge, n dimension, B block.
#pragma once

#include <optional>

namespace tarry::theory {

// What Algorithms 1 and 2 are bounded by.
struct Scene {
  double diameter;           // D
  double gradient_bound;     // G
  double rounds;             // T
  double mean_delay = 1;     // d̄
  double largest_delay = 1;  // d
};

// ---- Algorithm 1
double ofw_general(const Scene& s);                                    // Theorem 1
double ofw_strongly_convex_set(const Scene& s, double set_convexity);  // Theorem 2
double ofw_delay_aware(const Scene& s);                                // [M]
double ofw_unknown_horizon(const Scene& s);                            // [M]
double ofw_unknown_gradient_bound(const Scene& s, double first_norm);  // [M]

// Algorithm 1 with any step η small enough for T rounds: what a run with delays so far is certified to. [M]
std::optional<double> ofw_with_eta(const Scene& s, double eta, std::optional<double> set_convexity);

// The same with k gradients a step, the iterate never further than gap·D·N^{−1/4} from the minimiser that it follows:
// nothing where η is too large for any N. [M]
std::optional<double> ofw_batched(const Scene& s, double eta, double batch, double gap = 2);

// ---- Algorithm 2
double ofw_sc_general(const Scene& s, double beta);                                    // Theorem 3
double ofw_sc_strongly_convex_set(const Scene& s, double beta, double set_convexity);  // Theorem 4

// ---- Algorithm 3, in expectation against an oblivious adversary
struct OspfScene {
  Scene scene;
  double smoothness;  // α
  double dimension;   // n
  double block;       // B
};
double ospf_paper(const OspfScene& s);    // Theorem 5, for any block
double ospf_retuned(const OspfScene& s);  // [M]

// The same with blocks of one, for linear losses. [M]
struct LinearScene {
  double diameter;              // D
  double gradient_bound;        // G
  double dimension;             // n
  double weighted_outstanding;  // Q = Σ (o_t + ½)
};
double ospf_linear(const LinearScene& s, double delta);
double ospf_linear_anytime(const LinearScene& s, double planned_bound);  // planned_bound: the G that δ was chosen for

// Whether a sum of squares, as Λ is, still has its digits: below, squares underflow, and a bound that is made of them
// would promise too little.
inline bool squares_are_kept(double sum) { return sum >= 1e-260 && sum <= 1e260; }

// ---- GaugeFTRL [M]; weighted_outstanding = Σ (o_t + ½)
double gauge_ftrl_fixed(double eta, double gradient_bound, double mu, double weighted_outstanding);
double gauge_ftrl_anytime(double gradient_bound, double mu, double weighted_outstanding);
double gauge_ftrl_adaptive(double lambda, double mu, double reach);  // reach = max‖x‖ over K

// ---- exponentiated gradient on a simplex [M: the delays, the adaptive step]
struct EgScene {
  double radius;
  double dimension;             // n
  double half_spread;           // G: the largest ½(max g − min g)
  double weighted_outstanding;  // Q = Σ (o_t + ½)
};
double eg_fixed(const EgScene& s, double eta);
// `first_half_spread`: the first that was not 0, which has been received; `half_spread` is no smaller.
double eg_adaptive(const EgScene& s, double first_half_spread, double largest_delay);

// ---- AdaGrad over a box, one coordinate of Theorem 7.7: width D_i, step ρ_i, Σ h², lateness apart [M]
double adagrad_coordinate(double width, double step, double squares);

// ---- hedge: q and κ_N of Theorem 12 [M: the delays]
double hedge_exponent(double bases);
double hedge_kappa(double bases);

// ---- Meta-Frank-Wolfe [M: the delays, the measured curvature]: the mean of the copies' bounds, what straight lines
// missed of the losses, and what waits. For losses of smoothness α, straight lines miss at most mfw_missed.
double mfw(double copies, double missed, double waiting);
double mfw_missed(double smoothness, double diameter, double rounds, double calls);  // 2αD²T/(L + 1)

// ---- baselines
double ogd(const Scene& s);  // with its own η
double ogd_with_eta(const Scene& s, double eta);

// ---- gradient descent by infeasible projections, for every η, slack ρ/D and batch B [M: the delays]
struct InfeasibleSteps {
  double eta;
  double slack;      // ρ/D
  double batch = 1;  // B
};
double infeasible_ogd(const Scene& s, const InfeasibleSteps& steps);
// The steps for T, G and d̄: by separation B = 1, ρ = ηG/2; by linear oracles B = max(√T, d̄), ρ = D/√B.
InfeasibleSteps infeasible_ogd_steps(const Scene& s, bool linear, double most_batch);
// Over every interval of rounds at once; `most_outstanding` is o, the largest o_t.
double infeasible_ogd_adaptive(const Scene& s, const InfeasibleSteps& steps, double most_outstanding);

// max(4D², 64/β_K²), the γ of Theorem 2.
double ofw_gamma(double diameter, double set_convexity);
// Vol_{n−1}/Vol_n of unit balls: the retuned OSPF's c_n.
double ball_volume_ratio(double dimension);

}  // namespace tarry::theory
