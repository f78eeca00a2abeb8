#include "tarry/theory/moving_comparator.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"

namespace tarry::theory {

double infeasible_ogd_moving(const Scene& s, const InfeasibleSteps& steps, const Moving& moving) {
  const double reach = s.diameter * (1 + steps.slack);
  return infeasible_ogd(s, steps) +
         (reach * reach / 2 + reach * moving.path - s.diameter * s.diameter / 2) / steps.eta +
         s.gradient_bound * (moving.most_outstanding + steps.batch - 1) * moving.path;
}

std::vector<InfeasibleSteps> moving_steps(const Scene& s) {
  const double weighted = s.rounds * (2 * s.mean_delay - 1);
  const double bases = std::ceil(tarry::log2(1 + 2 * s.rounds) / 2) + 1;
  std::vector<InfeasibleSteps> all;
  double share = 1 / std::sqrt(2 * weighted);  // ηG/D
  for (double i = 0; i < bases; i += 1, share *= 2)
    all.push_back({share * s.diameter / s.gradient_bound, std::min(share, 1.0) / 2, 1});
  return all;
}

double hedged_moving(const Scene& s, const Moving& moving) {
  const double weighted = s.rounds * (2 * s.mean_delay - 1), size = s.gradient_bound * s.diameter;
  const auto bases = static_cast<double>(moving_steps(s).size());
  return 4 * size * std::sqrt(weighted * (1 + 2 * moving.path / s.diameter)) +
         s.gradient_bound * moving.most_outstanding * moving.path + size * std::sqrt(hedge_kappa(bases) * weighted);
}

}  // namespace tarry::theory
