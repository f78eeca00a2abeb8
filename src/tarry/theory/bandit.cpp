#include "tarry/theory/bandit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tarry::theory {
namespace {

// S², which bounds the mean square of a block's estimate: noise, and what it estimates.
double block_square(const BanditScene& s, double delta, double block) {
  const double noise = s.dimension * s.half_range / delta, mean = block * s.lipschitz;
  return block * noise * noise + mean * mean;
}

}  // namespace

BanditPlan bandit_plan(const BanditScene& s, double horizon, double largest_delay) {
  BanditPlan plan{.lipschitz = s.lipschitz};
  const double looking = (2 + s.diameter / s.inner_radius) * s.lipschitz;  // what a unit of δ costs a round
  const double best = std::numbers::sqrt2 * s.diameter * s.dimension * s.half_range / (looking * std::sqrt(horizon));
  plan.delta = std::min(s.inner_radius / 2, std::sqrt(best));
  const double noise = s.dimension * s.half_range / (plan.delta * s.lipschitz);
  const double block = std::clamp(std::ceil(noise * noise), 1.0, std::max(1.0, std::floor(horizon)));
  plan.block = static_cast<std::uint64_t>(block);
  const double blocks = std::ceil(horizon / block), square = block_square(s, plan.delta, block);
  const double waiting = largest_delay >= 2 ? std::floor(1 + (largest_delay - 2) / block) : 0;
  plan.eta = s.diameter * std::sqrt(2 / (square * blocks * (1 + waiting)));
  const double root = s.diameter * s.diameter / (plan.eta * blocks * std::sqrt(square));
  plan.gap = root * root;
  return plan;
}

double bandit_ofw(const BanditScene& s, const BanditPlan& plan, const BanditSeen& seen) {
  const double square = block_square(s, plan.delta, static_cast<double>(plan.block));
  return s.diameter * s.diameter / plan.eta + seen.blocks * std::sqrt(square * plan.gap) +
         plan.eta / 2 * square * (seen.blocks + seen.outstanding) +
         (2 + s.diameter / s.inner_radius) * plan.delta * s.lipschitz * seen.rounds;
}

}  // namespace tarry::theory
