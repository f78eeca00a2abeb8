#include "tarry/theory/bounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/base/elementary.h"
#include "tarry/theory/step_size.h"

namespace tarry::theory {
namespace {

constexpr double kRounding = 1 + 1e-9;  // a step computed from the same formula may differ in its last digits

}  // namespace

double ofw_gamma(double diameter, double set_convexity) {
  return std::max(4 * diameter * diameter, 64 / (set_convexity * set_convexity));
}

// Γ(n/2 + 1) / (√π Γ(n/2 + ½)): Stirling's series of ln Γ(x + ¾) − ln Γ(x + ¼) for large x = n/2 + ¼; for small n from
// there down, ratio(n) = ratio(n + 2) (n + 1) / (n + 2).
double ball_volume_ratio(double n) {
  double steps = 1;
  for (; n < 64; n += 2) steps *= (n + 1) / (n + 2);
  const double x = n / 2 + 0.25, y = 1 / (x * x);
  const double series = y * (1.0 / 64 - y * (5.0 / 2048 - y * (61.0 / 49152 - y * (1385.0 / 1048576))));
  return steps * std::sqrt(x / std::numbers::pi) * tarry::exp(series);
}

double ofw_general(const Scene& s) {
  const double gd = s.gradient_bound * s.diameter;
  return 7 * gd * tarry::pow(s.rounds, 0.75) + gd * (s.mean_delay + 1) * tarry::pow(s.rounds, 0.25);
}

double ofw_strongly_convex_set(const Scene& s, double set_convexity) {
  const double g = s.gradient_bound, d = s.diameter, cube_root = tarry::cbrt(s.rounds);
  const double gamma = ofw_gamma(d, set_convexity);
  return g * (3 * std::sqrt(gamma) + 2 * d) * cube_root * cube_root + 0.5 * g * d * (1 + s.mean_delay) * cube_root;
}

double ofw_delay_aware(const Scene& s) {
  const double gd = s.gradient_bound * s.diameter, main = tarry::pow(s.rounds, 0.75);
  return 6 * gd * main + 2 * gd * std::max(main, std::sqrt(s.mean_delay * s.rounds));
}

double ofw_unknown_horizon(const Scene& s) {
  const double waiting = (s.mean_delay - 1) * s.rounds;
  return 32 * s.gradient_bound * s.diameter * std::sqrt(tarry::pow(s.rounds, 1.5) + waiting);
}

double ofw_unknown_gradient_bound(const Scene& s, double first_norm) {
  return 4 * ofw_general(s) + s.gradient_bound * s.diameter * s.largest_delay *
                                  (1 + tarry::log2(std::max(1.0, s.gradient_bound / first_norm)));
}

// Theorem 4.2 of docs/theory.md. D²/η is the regulariser's cost, ½ηG²(T + Σo) what stability and delay cost, the first
// term the distance between the iterate and the minimiser that it follows. Both gap lemmas only need η no larger than
// the theorem's for T rounds.
std::optional<double> ofw_with_eta(const Scene& s, double eta, std::optional<double> set_convexity) {
  const double g = s.gradient_bound, d = s.diameter, t = s.rounds;
  const double common = d * d / eta + 0.5 * eta * g * g * s.mean_delay * t;
  std::optional<double> best;
  if (eta <= ofw_eta_general(d, g, t) * kRounding) best = 2 * g * d * tarry::pow(t, 0.75) + common;
  if (set_convexity && eta <= ofw_eta_strongly_convex_set(d, g, t) * kRounding) {
    const double curved = g * std::sqrt(ofw_gamma(d, *set_convexity)) * tarry::pow(t, 2.0 / 3) + common;
    best = best ? std::min(*best, curved) : curved;
  }
  return best;
}

std::optional<double> ofw_batched(const Scene& s, double eta, double batch, double gap) {
  const double g = s.gradient_bound, d = s.diameter, t = s.rounds;
  const double share = eta * batch * g / d;  // N^{−3/4}
  if (!(share <= kRounding)) return std::nullopt;
  return d * d / eta + gap * g * d * t * tarry::cbrt(share) + 0.5 * eta * g * g * (s.mean_delay + 2 * batch - 2) * t;
}

double ofw_sc_general(const Scene& s, double beta) {
  const double c1 = s.gradient_bound + beta * s.diameter, c2 = s.gradient_bound + 2 * beta * s.diameter;
  const double log_t = tarry::log(s.rounds), d = s.largest_delay, root2 = std::numbers::sqrt2;
  return 6 * root2 * c2 * (c1 + 2 * c2) * tarry::pow(s.rounds, 2.0 / 3) / beta + 2 * c2 * c2 * log_t / beta +
         c1 * s.diameter + (c1 + c2) * (3 * d * s.diameter + 4 * root2 * d * c2 / beta + 2 * d * c1 * log_t / beta);
}

double ofw_sc_strongly_convex_set(const Scene& s, double beta, double set_convexity) {
  const double c1 = s.gradient_bound + beta * s.diameter, c2 = s.gradient_bound + 2 * beta * s.diameter;
  const double log_t = tarry::log(s.rounds), d = s.largest_delay;
  const double gamma = std::max(4 * c2 * c2 / beta, 288 * beta / (set_convexity * set_convexity));
  return (c1 + c2) * (3 * d * s.diameter + d * std::sqrt(2 * gamma / beta) +
                      2 * std::sqrt(2 * gamma * s.rounds / beta) + 2 * d * c1 * log_t / beta) +
         gamma * std::sqrt(2 * s.rounds) + 0.5 * gamma * log_t + c1 * s.diameter;
}

double ospf_paper(const OspfScene& o) {
  const Scene& s = o.scene;
  const double gd = s.gradient_bound * s.diameter;
  return 4 * o.smoothness * s.diameter * s.diameter * s.rounds / o.block +
         2 * std::sqrt(o.dimension) * gd *
             (std::sqrt(s.rounds * o.block) + s.largest_delay * std::sqrt(s.rounds / o.block));
}

double ospf_retuned(const OspfScene& o) {
  const Scene& s = o.scene;
  const double gd = s.gradient_bound * s.diameter;
  return 4 * o.smoothness * s.diameter * s.diameter * s.rounds / o.block +
         tarry::pow(2, 0.25) * std::sqrt(ball_volume_ratio(o.dimension)) * gd *
             (std::sqrt(s.rounds * o.block) + (s.largest_delay - 1) * std::sqrt(s.rounds / o.block));
}

// Theorem 6.1 of docs/theory.md: D/(2δ) for the perturbation, δc_nDG²Q for stability and delay.
double ospf_linear(const LinearScene& s, double delta) {
  const double moved = delta * s.gradient_bound * ball_volume_ratio(s.dimension) * s.gradient_bound;
  return s.diameter * (1 / (2 * delta) + moved * s.weighted_outstanding);
}

double ospf_linear_anytime(const LinearScene& s, double planned_bound) {
  const double root = std::sqrt(ball_volume_ratio(s.dimension) * s.weighted_outstanding);
  return s.diameter * root * (planned_bound + s.gradient_bound * (s.gradient_bound / planned_bound));
}

double gauge_ftrl_fixed(double eta, double gradient_bound, double mu, double weighted_outstanding) {
  return 1 / (2 * eta) + eta * gradient_bound * gradient_bound / mu * weighted_outstanding;
}

double gauge_ftrl_anytime(double gradient_bound, double mu, double weighted_outstanding) {
  return 2 * gradient_bound * std::sqrt(weighted_outstanding / mu);
}

double gauge_ftrl_adaptive(double lambda, double mu, double reach) {
  return (2 / std::sqrt(mu) + 2 * std::numbers::sqrt2 * reach) * std::sqrt(lambda);
}

double eg_fixed(const EgScene& s, double eta) {
  return s.radius * (tarry::log(s.dimension) / eta + eta * s.half_spread * s.half_spread * s.weighted_outstanding);
}

double eg_adaptive(const EgScene& s, double first_half_spread, double largest_delay) {
  if (s.half_spread == 0) return 0;  // every decision is as good as any other
  const double unseen = largest_delay * (1 + tarry::log2(s.half_spread / first_half_spread));
  return s.radius * s.half_spread * (4 * std::sqrt(2 * tarry::log(s.dimension) * s.weighted_outstanding) + 2 * unseen);
}

double adagrad_coordinate(double width, double step, double squares) {
  return width > 0 ? (width * width / (2 * step) + step) * std::sqrt(squares) : 0;
}

double hedge_exponent(double bases) {
  if (bases <= 7) return 2;
  const double log_n = tarry::log(bases);
  return log_n + std::sqrt(log_n * log_n - 2 * log_n);
}

double hedge_kappa(double bases) {
  const double q = hedge_exponent(bases);
  return (q - 1) * tarry::pow(bases, 2 / q);
}

double mfw(double copies, double missed, double waiting) { return copies + missed + waiting; }

double mfw_missed(double smoothness, double diameter, double rounds, double calls) {
  return 2 * smoothness * diameter * diameter * rounds / (calls + 1);
}

double ogd(const Scene& s) { return s.gradient_bound * s.diameter * std::sqrt(s.rounds * (2 * s.mean_delay - 1)); }

double ogd_with_eta(const Scene& s, double eta) {
  return s.diameter * s.diameter / (2 * eta) +
         eta / 2 * s.gradient_bound * s.gradient_bound * s.rounds * (2 * s.mean_delay - 1);
}

// Σ_t (steps made between the play of t and the one that uses its gradient) ≤ min(Σo, T + Σo/B).
static double steps_awaited(const Scene& s, double batch) {
  const double outstanding = s.rounds * (s.mean_delay - 1);
  return std::min(outstanding, s.rounds + outstanding / batch);
}

double infeasible_ogd(const Scene& s, const InfeasibleSteps& steps) {
  const double moved = steps.eta * steps.batch * s.gradient_bound / 2 + steps.slack * s.diameter;
  return s.diameter * s.diameter / (2 * steps.eta) +
         moved * s.gradient_bound * (s.rounds + 2 * steps_awaited(s, steps.batch));
}

double infeasible_ogd_adaptive(const Scene& s, const InfeasibleSteps& steps, double most_outstanding) {
  const double reach = s.diameter * (1 + steps.slack);
  return infeasible_ogd(s, steps) + (reach * reach - s.diameter * s.diameter) / (2 * steps.eta) +
         2 * s.gradient_bound * reach * (most_outstanding + steps.batch - 1);
}

InfeasibleSteps infeasible_ogd_steps(const Scene& s, bool linear, double most_batch) {
  if (!linear) {
    const double root = std::sqrt(2 * s.rounds * (2 * s.mean_delay - 1));
    return {s.diameter / (s.gradient_bound * root), 1 / (2 * root), 1};
  }
  const double batch = std::min(most_batch, std::ceil(std::max(std::sqrt(s.rounds), s.mean_delay)));
  const double weighted = s.rounds + 2 * steps_awaited(s, batch);
  return {s.diameter / (s.gradient_bound * std::sqrt(batch * weighted)), std::min(0.5, 1 / std::sqrt(batch)), batch};
}

}  // namespace tarry::theory
