#include "tarry/theory/bandit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tarry::theory {
namespace {

// ν²: of one estimate from two values.
double two_point_square(const BanditScene& s) {
  return s.lipschitz * s.lipschitz * s.dimension * s.dimension / std::max(1.0, s.dimension - 1);
}

// S², which bounds the mean square of a block's estimate: noise, and what it estimates.
double block_square(const BanditScene& s, const BanditPlan& plan) {
  const auto block = static_cast<double>(plan.block);
  const double noise = s.dimension * s.half_range / plan.delta, mean = block * s.lipschitz;
  return block * (plan.two_points ? two_point_square(s) : noise * noise) + mean * mean;
}

// η and ε for a plan whose δ and block are chosen.
void choose_steps(const BanditScene& s, double horizon, double largest_delay, BanditPlan& plan) {
  const auto block = static_cast<double>(plan.block);
  const double blocks = std::ceil(horizon / block), square = block_square(s, plan);
  const double waiting = largest_delay >= 2 ? std::floor(1 + (largest_delay - 2) / block) : 0;
  plan.eta = s.diameter * std::sqrt(2 / (square * blocks * (1 + waiting)));
  const double root = s.diameter * s.diameter / (plan.eta * blocks * std::sqrt(square));
  plan.gap = root * root;
}

double whole_block(double rounds, double horizon) {
  return std::clamp(std::ceil(rounds), 1.0, std::max(1.0, std::floor(horizon)));
}

}  // namespace

BanditPlan bandit_plan(const BanditScene& s, double horizon, double largest_delay) {
  BanditPlan plan{.lipschitz = s.lipschitz};
  const double looking = (2 + s.diameter / s.inner_radius) * s.lipschitz;  // what a unit of δ costs a round
  const double best = std::numbers::sqrt2 * s.diameter * s.dimension * s.half_range / (looking * std::sqrt(horizon));
  plan.delta = std::min(s.inner_radius / 2, std::sqrt(best));
  const double noise = s.dimension * s.half_range / (plan.delta * s.lipschitz);
  plan.block = static_cast<std::uint64_t>(whole_block(noise * noise, horizon));
  choose_steps(s, horizon, largest_delay, plan);
  return plan;
}

BanditPlan two_point_plan(const BanditScene& s, double horizon, double largest_delay, std::uint64_t block) {
  BanditPlan plan{.lipschitz = s.lipschitz, .two_points = true};
  plan.delta = std::min(s.inner_radius / 2, s.diameter / ((2 + s.diameter / s.inner_radius) * std::sqrt(horizon)));
  const double enough = two_point_square(s) / (s.lipschitz * s.lipschitz);
  plan.block = static_cast<std::uint64_t>(whole_block(block > 0 ? static_cast<double>(block) : enough, horizon));
  choose_steps(s, horizon, largest_delay, plan);
  return plan;
}

double bandit_ofw(const BanditScene& s, const BanditPlan& plan, const BanditSeen& seen) {
  const double square = block_square(s, plan);
  return s.diameter * s.diameter / plan.eta + seen.blocks * std::sqrt(square * plan.gap) +
         plan.eta / 2 * square * (seen.blocks + seen.outstanding) +
         (2 + s.diameter / s.inner_radius) * plan.delta * s.lipschitz * seen.rounds;
}

}  // namespace tarry::theory
